import { describe, expect, it } from "vitest";
import { mergeManifest } from "./merge-manifest.ts";
import { readTomlStatements } from "./toml-statements.ts";

describe("a merged JSON manifest", () => {
  const keys = ["scripts", "type", "jest"];
  function check(base: object | null, candidate: object, expected: object): void {
    const pair = { base: base === null ? null : JSON.stringify(base), candidate: JSON.stringify(candidate) };
    const { text } = mergeManifest("package.json", pair, keys);
    expect(JSON.parse(text ?? "null")).toEqual(expected);
  }

  it("has the protected keys of the base and the rest of the candidate", () => {
    check(
      { name: "a", scripts: { test: "vitest" }, dependencies: { a: "1" } },
      { name: "b", scripts: { test: "true" }, dependencies: { a: "2", b: "1" } },
      { name: "b", scripts: { test: "vitest" }, dependencies: { a: "2", b: "1" } },
    );
  });

  it("loses protected keys that the base does not have", () => {
    check({ name: "a" }, { name: "a", type: "module", jest: { bail: 1 } }, { name: "a" });
    check(null, { name: "a", scripts: { test: "true" } }, { name: "a" });
  });

  it("gets protected keys back that the candidate removed", () => {
    check({ scripts: { test: "x" } }, { name: "a" }, { name: "a", scripts: { test: "x" } });
  });

  it("takes one key inside of another", () => {
    const base = '{"a":{"b":1,"c":1}}';
    expect(mergeManifest("x.json", { base, candidate: '{"a":{"b":2,"c":2}}' }, ["a.b"]).text).toBe(
      `${JSON.stringify({ a: { b: 1, c: 2 } }, null, 2)}\n`,
    );
    expect(JSON.parse(mergeManifest("x.json", { base, candidate: '{"a":7}' }, ["a.b"]).text ?? "")).toEqual({
      a: { b: 1, c: 1 },
    });
  });

  it("is the base's as a whole when the candidate's cannot be read", () => {
    const pair = { base: '{"a":1}', candidate: "{ not json" };
    expect(mergeManifest("package.json", pair, keys)).toEqual({ text: '{"a":1}', isCandidateReadable: false });
    expect(mergeManifest("package.json", { ...pair, base: null }, keys).text).toBeNull();
  });

  it("reads a file with a byte order mark, as loaders do, and no key of a prototype", () => {
    const candidate = '\uFEFF{"name":"a","scripts":{"test":"true"}}';
    expect(mergeManifest("package.json", { base: "{}", candidate }, keys).text).toBe('{\n  "name": "a"\n}\n');
    const { text } = mergeManifest("x.json", { base: "{}", candidate: "{}" }, ["constructor", "__proto__"]);
    expect(text).toBe("{}\n");
  });
});

describe("a merged TOML manifest", () => {
  const keys = ["tool.pytest", "tool.coverage"];
  function check(base: string, candidate: string, expected: string): void {
    expect(mergeManifest("pyproject.toml", { base, candidate }, keys).text).toBe(expected);
  }

  it("has the protected tables of the base and the rest of the candidate", () => {
    check(
      '[project]\nname = "a"\n[tool.pytest.ini_options]\naddopts = "-q"\n[tool.x]\na = 1\n',
      '[project]\nname = "b"\n[tool.pytest.ini_options]\naddopts = "-k none"\n[tool.coverage.run]\nomit = ["*"]\n[tool.x]\na = 2\n',
      '[project]\nname = "b"\n[tool.x]\na = 2\n[tool.pytest.ini_options]\naddopts = "-q"\n',
    );
  });

  it("sees protected keys that are spelled dotted, quoted, inline or nested", () => {
    check("", 'tool.pytest.ini_options.addopts = "x"\na = 1\n', "a = 1\n");
    check("", '[tool]\npytest = { ini_options = { addopts = "x" } }\nother = 1\n', "[tool]\nother = 1\n");
    check("", '[tool."pytest".ini_options]\naddopts = "x"\n', "");
    check("", 'tool = { pytest = { ini_options = { addopts = "x" } } }\n', "");
    check("", '["t\\u006fol".pytest]\nx = 1\n["\\U00000074ool".coverage]\n', "");
    check("", "[ tool . pytest . ini_options ]\nx = 1\n", "");
  });

  it("puts loose keys of the base into the candidate's table, or makes it", () => {
    check("[tool]\npytest.x = 1\n", "[tool]\nother = 1\n[z]\n", "[tool]\npytest.x = 1\nother = 1\n[z]\n");
    check("[tool]\npytest.x = 1\n", "[z]\n", '[z]\n["tool"]\npytest.x = 1\n');
    check("tool.pytest.x = 1\n", "[z]\na = 1\n", "tool.pytest.x = 1\n[z]\na = 1\n");
  });

  it("is not misled by headers inside of strings, arrays and comments", () => {
    const candidate = 'a = """\n[tool.pytest]\n"""\nb = [\n  ["x"],\n]\nc = \'#\' # [tool.pytest]\nd = "\\"["\n[e]\n';
    check("", candidate, candidate);
    expect(readTomlStatements(candidate).map(({ path }) => path.join("."))).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("keeps lists of tables and what it cannot read", () => {
    const base = '[[test]]\nname = "a"\n[[test]]\nname = "b"\n';
    const candidate = '[package]\nname = "p"\n= broken\n[[test]]\nname = "a"\nharness = false\n';
    expect(mergeManifest("Cargo.toml", { base, candidate }, ["test"]).text).toBe(
      `[package]\nname = "p"\n= broken\n${base}`,
    );
  });
});
