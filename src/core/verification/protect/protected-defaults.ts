/** Test files of every ecosystem: existing ones come from the base, new ones stay beside them. */
export const testGlobs: readonly string[] = [
  "**/{test,tests,spec,__tests__,testdata,fixtures,__snapshots__,__mocks__}/**",
  "*.{test,spec}.*",
  "test_*.py",
  "*_test.{py,go,rb,exs,c,cc,cpp,rs}",
  "*{Test,Tests,IT}.{java,kt,cs,scala,groovy}",
  "*_spec.rb",
];

/** Files that decide how tests are found, run and counted, by ecosystem; absent at the base they stay absent. */
export const runnerGlobs: Readonly<Record<string, readonly string[]>> = {
  node: [
    ".npmrc",
    ".yarnrc*",
    ".mocharc*",
    ".taprc",
    ".nycrc*",
    ".c8rc*",
    ".babelrc*",
    ".swcrc",
    "tsconfig*.json",
    "jsconfig*.json",
    "{jest,vitest,vite,ava,karma,playwright,cypress,babel,eslint,biome}.config.*",
    "vitest.workspace.*",
    "jest.{setup,preset}.*",
    ".eslintrc*",
    "biome.json*",
    "deno.json*",
    "bunfig.toml",
    "{turbo,nx,lerna}.json",
    ".pnp.*",
    ".pnpmfile.*",
    "**/node_modules/**",
  ],
  python: [
    "conftest.py",
    "pytest.ini",
    "pytest.toml",
    "tox.ini",
    "setup.cfg",
    "noxfile.py",
    "{site,user}customize.py",
    "*.pth",
    "*.{egg-info,dist-info}",
    "ruff.toml",
    "mypy.ini",
    "pyrightconfig.json",
    "**/{.venv,venv,site-packages}/**",
    "*.pyc",
  ],
  make: ["{GNUmakefile,makefile,Makefile}", "*.mk", "{justfile,Justfile,.justfile}", "{Taskfile,taskfile}.{yml,yaml}"],
  go: ["go.work", "go.work.sum", ".golangci.*"],
  rust: ["**/.cargo/**", "{rust-toolchain,rust-toolchain.toml}", "{clippy,rustfmt}.toml", "**/.config/nextest.toml"],
  jvm: ["**/gradle/wrapper/**", "gradle.properties", "**/.mvn/**"],
  ruby: [".rspec*", "Rakefile", ".simplecov"],
  dotnet: ["*.runsettings", "xunit.runner.json", "Directory.Build.*"],
  php: ["phpunit*.xml*"],
  all: [".env*", ".tool-versions", ".nvmrc", ".python-version", "{mise,.mise}.toml", ".*ignore", ".*rc*", "*.config.*"],
};

/** Files that match a glob of runner files and are none: git's own lists decide what is delivered, not what is run. */
export const runnerExceptions: readonly string[] = [".gitignore", ".dockerignore"];

/** What agents and judges obey. */
export const agentGlobs: readonly string[] = [
  "{CLAUDE,AGENTS,GEMINI}.md",
  "**/{.claude,.opencode,.codex,.cursor,.gemini}/**",
  ".mcp.json",
  ".cursorrules",
  "**/.github/copilot-instructions.md",
];

/** Keys of manifests that decide how tests run, by the name of the file; the rest of the file is the candidate's. */
export const manifestKeys: Readonly<Record<string, readonly string[]>> = {
  "package.json": [
    "scripts",
    "jest",
    "vitest",
    "mocha",
    "ava",
    "c8",
    "nyc",
    "tap",
    "babel",
    "eslintConfig",
    "eslintIgnore",
    "type",
    "imports",
    "config",
    "wireit",
  ],
  "pyproject.toml": [
    "tool.pytest",
    "tool.coverage",
    "tool.ruff",
    "tool.mypy",
    "tool.pyright",
    "tool.tox",
    "tool.poe",
    "tool.taskipy",
  ],
  "Cargo.toml": ["profile", "test", "bench"],
};

/** Folders from which Python imports first, beside the folder of each test: a module there hides one of the same name. */
export const pythonRoots: readonly string[] = ["", "src", "lib"];

/**
 * Names of test runners and of the part of Python's standard library that they load. A new module of such a name at a root of
 * the path would run in the place of the real one. Names that projects often give their own modules are not among them
 * (`queue`, `calendar`, `statistics`): a runner loads those late or never.
 */
export const pythonModules: ReadonlySet<string> = new Set(
  `pytest _pytest pluggy iniconfig nose nose2 coverage hypothesis unittest doctest xdist pytest_cov
  abc argparse ast asyncio atexit base64 bdb bisect builtins bz2 cmd code codecs codeop collections concurrent configparser
  contextlib contextvars copy copyreg csv ctypes dataclasses datetime decimal difflib dis email encodings enum errno
  faulthandler filecmp fnmatch functools gc genericpath getopt getpass gettext glob gzip hashlib heapq hmac html http importlib
  inspect io itertools json keyword linecache locale logging lzma math mimetypes multiprocessing numbers opcode operator os
  pathlib pdb pickle pkgutil platform posixpath pprint profile py_compile pydoc random re reprlib runpy select selectors shlex
  shutil signal site socket socketserver sre_compile ssl stat string stringprep struct subprocess sysconfig tempfile textwrap
  threading time timeit token tokenize tomllib trace traceback tracemalloc types typing unicodedata urllib uuid warnings
  weakref xml zipfile zipimport zlib zoneinfo`.split(/\s+/),
);
