import { builtinModules } from "node:module";

/**
 * Bundles Node's own modules as objects that load them on first use. An ES module that imports `node:fs` loads its lazy
 * parts at once, and commander alone imports `node:child_process`: much of what `ralph status` would do at its start.
 */
export const lazyBuiltins = lazyBuiltinsBy((name) => `process.getBuiltinModule("${name}")`);

/** The same for a CommonJS bundle with a `loadBuiltin`: it also runs where `getBuiltinModule` is not known yet. */
export const lazyRequires = lazyBuiltinsBy((name) => `loadBuiltin("${name}")`);

/** The same for a package that few commands use: it becomes the part `NAME.cjs` of the program, loaded on first use. */
export function lazyPackage(name) {
  const load = `require("./${name}.cjs")`;
  return {
    name: "lazy-package",
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({
        path: name,
        namespace: "lazy",
        sideEffects: false,
      }));
      build.onResolve({ filter: /./, namespace: "lazy" }, ({ path }) => ({ path, external: true }));
      build.onLoad({ filter: /./, namespace: "lazy" }, () => ({ contents: lazyObject(load), loader: "js" }));
    },
  };
}

function lazyBuiltinsBy(load) {
  return { name: "lazy-builtins", setup: (build) => setUp(build, load) };
}

function setUp(build, load) {
  const names = [...builtinModules, "sqlite"].filter((name) => /^[a-z]/.test(name) && !name.startsWith("node:"));
  build.onResolve({ filter: new RegExp(`^(node:)?(${names.join("|")})$`) }, ({ path, kind }) => {
    const name = path.replace(/^(node:)?/, "node:");
    // An import of that form is lazy as it is, and its named exports must be there.
    if (kind === "dynamic-import") return { path: name, external: true };
    return { path: name, namespace: "builtin", sideEffects: false };
  });
  build.onLoad({ filter: /./, namespace: "builtin" }, ({ path }) => ({
    contents: facadeOf(path, load(path)),
    loader: "js",
  }));
}

function facadeOf(name, load) {
  // Its methods need their `this`, and it is always there.
  if (name === "node:process") return "module.exports = process;";
  if (typeof process.getBuiltinModule(name) === "function") return `module.exports = ${load};`;
  return lazyObject(load);
}

/** No property of its own: the bundler copies those, and hands on the prototype. */
function lazyObject(load) {
  return `let loaded;
module.exports = Object.create(new Proxy({}, { get: (_, key) => (loaded ??= ${load})[key] }));`;
}
