import { isAbsolute, join } from "node:path";

/** A folder below HOME that programs on PATH need, and the variable that leads to it from another HOME. */
export type Toolchain = {
  folder: string;
  /** Only these parts of it: beside them stand credentials. Empty: all of it. */
  parts: readonly string[];
  variable: string | null;
};

/** Toolchains that install themselves below HOME. */
export const toolchains: readonly Toolchain[] = [
  { folder: ".cargo", parts: ["bin", "registry", "git", "config.toml", "env"], variable: "CARGO_HOME" },
  { folder: ".rustup", parts: [], variable: "RUSTUP_HOME" },
  { folder: ".nvm", parts: ["versions", "alias"], variable: "NVM_DIR" },
  { folder: ".volta", parts: ["bin", "tools"], variable: "VOLTA_HOME" },
  { folder: ".fnm", parts: [], variable: null },
  { folder: ".local/share/fnm", parts: [], variable: null },
  { folder: ".local/share/pnpm", parts: [], variable: "PNPM_HOME" },
  { folder: ".local/share/mise", parts: ["installs", "shims"], variable: null },
  { folder: ".asdf", parts: [], variable: "ASDF_DATA_DIR" },
  { folder: ".bun", parts: ["bin", "install"], variable: "BUN_INSTALL" },
  { folder: ".deno", parts: ["bin"], variable: null },
  { folder: ".pyenv", parts: [], variable: "PYENV_ROOT" },
  { folder: ".local/share/uv", parts: ["python", "tools"], variable: null },
  { folder: ".rbenv", parts: [], variable: "RBENV_ROOT" },
  { folder: ".sdkman", parts: ["candidates"], variable: "SDKMAN_DIR" },
  { folder: ".m2", parts: ["repository", "wrapper"], variable: null },
  { folder: ".gradle", parts: ["caches", "wrapper"], variable: null },
  { folder: "go", parts: ["bin", "pkg"], variable: "GOPATH" },
];

type Environment = Readonly<Record<string, string>>;

/** Folders and files of toolchains below HOME that are there, by what `isThere` says. */
export function toolchainPaths(env: Environment, isThere: (path: string) => boolean): string[] {
  return toolchains.flatMap((toolchain) => {
    const folder = folderOf(toolchain, env);
    if (folder === null) return [];
    const paths = toolchain.parts.length === 0 ? [folder] : toolchain.parts.map((part) => join(folder, part));
    return paths.filter(isThere);
  });
}

/** Where programs find their toolchains although HOME is another one. */
export function toolchainVariables(env: Environment, isThere: (path: string) => boolean): Record<string, string> {
  const found = toolchains.flatMap((toolchain) => {
    const folder = folderOf(toolchain, env);
    const { variable } = toolchain;
    return variable !== null && folder !== null && isThere(folder) ? [[variable, folder] as const] : [];
  });
  return Object.fromEntries(found);
}

function folderOf({ folder, variable }: Toolchain, env: Environment): string | null {
  const named = variable === null ? undefined : env[variable];
  if (named !== undefined && isAbsolute(named)) return named;
  const home = env["HOME"] ?? "";
  return isAbsolute(home) ? join(home, folder) : null;
}
