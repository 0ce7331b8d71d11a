import { describe, expect, it } from "vitest";
import { sealedEnvironment, type SealedEnvironmentOptions } from "./sealed-environment.ts";
import { toolchainPaths, toolchainVariables } from "./toolchains.ts";

const options: SealedEnvironmentOptions = {
  env: {},
  path: "/usr/bin",
  home: "/c/home",
  temporary: "/c/tmp",
  kept: [],
  turnMarker: "run.1",
  toolchains: {},
};

describe("the environment of a sealed check", () => {
  it("has exactly these variables", () => {
    const env = {
      NODE_OPTIONS: "x",
      LD_PRELOAD: "x",
      HOME: "/home/me",
      LANG: "C",
      TZ: "UTC",
      TERM: "dumb",
      PATH: "/evil",
    };
    expect(Object.keys(sealedEnvironment({ ...options, env })).toSorted()).toEqual(
      (
        "CI GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM HOME LANG NPM_CONFIG_USERCONFIG PATH PYTHONDONTWRITEBYTECODE " +
        "PYTHONNOUSERSITE RALPH_TURN TERM TMPDIR TZ XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_RUNTIME_DIR XDG_STATE_HOME"
      ).split(" "),
    );
    expect(sealedEnvironment({ ...options, env })).toMatchObject({ HOME: "/c/home", PATH: "/usr/bin" });
  });

  it("keeps what the settings name, but nothing that loads other code, and nothing of a prototype", () => {
    const env = { DATABASE_URL: "x", NODE_OPTIONS: "x", LD_PRELOAD: "x", BASH_ENV: "x", PYTHONPATH: "x" };
    const sealed = sealedEnvironment({ ...options, env, kept: [...Object.keys(env), "constructor"] });
    expect(sealed["DATABASE_URL"]).toBe("x");
    for (const name of ["NODE_OPTIONS", "LD_PRELOAD", "BASH_ENV", "PYTHONPATH", "constructor"]) {
      expect(Object.hasOwn(sealed, name)).toBe(false);
    }
  });
});

describe("toolchains below home", () => {
  const there = new Set(["/home/me/.cargo", "/home/me/.cargo/bin", "/home/me/.cargo/credentials.toml", "/r"]);
  const isThere = (path: string): boolean => there.has(path);
  const env = { HOME: "/home/me", RUSTUP_HOME: "/r" };

  it("are shown without the credentials beside them", () => {
    expect(toolchainPaths(env, isThere)).toEqual(["/home/me/.cargo/bin", "/r"]);
  });

  it("are found by variables, since home is another one", () => {
    expect(toolchainVariables(env, isThere)).toEqual({ CARGO_HOME: "/home/me/.cargo", RUSTUP_HOME: "/r" });
  });
});
