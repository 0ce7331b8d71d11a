/** How the packages that a lock file pins are installed, without any program of a package being started. */
export type InstallCommand = {
  /** The folder of the lock file, from the top of the tree; empty: the top. */
  folder: string;
  argv: readonly string[];
};

const commands: Readonly<Record<string, readonly string[]>> = {
  "package-lock.json": ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
  "npm-shrinkwrap.json": ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
  "pnpm-lock.yaml": ["pnpm", "install", "--frozen-lockfile", "--ignore-scripts"],
  "yarn.lock": ["yarn", "install", "--frozen-lockfile", "--ignore-scripts"],
  "uv.lock": ["uv", "sync", "--frozen"],
};

/** What to run for the lock files of a tree, one command per folder, in the order of their paths. */
export function installCommands(paths: readonly string[]): InstallCommand[] {
  const found = new Map<string, InstallCommand>();
  for (const path of paths.filter((each) => !isInstalled(each)).toSorted()) {
    const cut = path.lastIndexOf("/") + 1;
    const argv = Object.hasOwn(commands, path.slice(cut)) ? commands[path.slice(cut)] : undefined;
    const folder = path.slice(0, Math.max(0, cut - 1));
    if (argv !== undefined && !found.has(`${folder} ${argv[0]}`)) found.set(`${folder} ${argv[0]}`, { folder, argv });
  }
  return [...found.values()];
}

/** Lock files of packages and of test data pin nothing that the checks of the project load. */
function isInstalled(path: string): boolean {
  return /(?:^|\/)(?:node_modules|fixtures|testdata|vendor)\//.test(path);
}
