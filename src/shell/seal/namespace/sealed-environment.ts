/** What the environment of a sealed check is made of. */
export type SealedEnvironmentOptions = {
  /** The environment of the run: only what `kept` and the lists below name is taken from it. */
  env: Readonly<Record<string, string>>;
  /** The sealed search path. */
  path: string;
  /** Folders of the copy's own, empty at the start of each check. */
  home: string;
  temporary: string;
  /** `seal.env`. */
  kept: readonly string[];
  turnMarker: string;
  /** Variables that lead to toolchains, see `toolchainVariables`. */
  toolchains: Readonly<Record<string, string>>;
};

const passed = ["LANG", "LC_ALL", "TZ", "TERM"];

/** Variables that make a program load something else before its own work; the settings cannot keep them either. */
const loaders =
  /^(?:NODE_OPTIONS|NODE_PATH|BASH_ENV|ENV|LD_.*|DYLD_.*|PYTHON(?:PATH|STARTUP|HOME)|MAKEFLAGS|RUBYOPT|PERL5.*|GIT_.*)$/;

/** The whole environment of a sealed check: nothing that an agent, or a shell of its user, may have prepared. */
export function sealedEnvironment(options: SealedEnvironmentOptions): Record<string, string> {
  const { env, path, home, temporary, kept, turnMarker, toolchains } = options;
  const names = [...passed, ...kept.filter((name) => !loaders.test(name))];
  const taken = names.flatMap((name) => {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(taken),
    ...toolchains,
    PATH: path,
    HOME: home,
    TMPDIR: temporary,
    XDG_CONFIG_HOME: `${home}/.config`,
    XDG_CACHE_HOME: `${home}/.cache`,
    XDG_DATA_HOME: `${home}/.local/share`,
    XDG_STATE_HOME: `${home}/.local/state`,
    XDG_RUNTIME_DIR: temporary,
    CI: "1",
    PYTHONNOUSERSITE: "1",
    PYTHONDONTWRITEBYTECODE: "1",
    NPM_CONFIG_USERCONFIG: "/dev/null",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    RALPH_TURN: turnMarker,
  };
}
