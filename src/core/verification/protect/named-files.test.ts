import { describe, expect, it } from "vitest";
import { firstWords, namedFiles, type NamingTree } from "./named-files.ts";

const scripts = {
  test: "sh ci/test.sh && node tools/lint.js --rules=ci/rules.json",
  pretest: "node tools/before.mjs",
  deep: "npm run test",
};
const files = [
  ..."ci/test.sh ci/rules.json tools/lint.js tools/before.mjs tools/check.py tools/check/__main__.py expected.txt".split(
    " ",
  ),
  ..."main.c src/app.js src/app.ts verify/judge.mjs run package.json sub/package.json sub/x.sh in.txt out.txt".split(
    " ",
  ),
];
const tree: NamingTree = {
  has: (path) => files.includes(path),
  manifest: (path) => {
    if (path === "package.json") return JSON.stringify({ scripts });
    return path === "sub/package.json" ? JSON.stringify({ scripts: { test: "./x.sh" } }) : null;
  },
};

function check(command: string, expected: string[], directory = ""): void {
  expect([command, namedFiles({ commands: [command], modules: [], directory }, tree)]).toEqual([command, expected]);
}

describe("the files that checks name", () => {
  it("are scripts, and data in options and redirects", () => {
    check("sh ci/test.sh", ["ci/test.sh"]);
    check("./run --rules=ci/rules.json", ["ci/rules.json", "run"]);
    check("CI=1 env X=1 timeout 60 bash -eu ./ci/test.sh", ["ci/test.sh"]);
    check("node main.js < in.txt", ["in.txt"]);
    check('sh -c "cd ci && ./test.sh"', ["ci/test.sh"]);
    check("cd sub && ./x.sh", ["sub/x.sh"]);
    check("sh x.sh", ["sub/x.sh"], "sub");
    check("python3 -m tools.check", ["tools/check.py", "tools/check/__main__.py"]);
    check("sh /etc/passwd ../run ~/run", []);
  });

  it("are found one level into the scripts of a manifest", () => {
    const named = ["ci/rules.json", "ci/test.sh", "tools/before.mjs", "tools/lint.js"];
    check("npm test", named);
    check("npm run -s test -- --x", named);
    check("yarn test", named);
    check("npm run deep", []);
    check("npm --prefix sub test", ["sub/x.sh"]);
    check("npm install test", []);
  });

  it("are not what a command compiles, looks at or pipes into a comparison", () => {
    check("gcc -o main main.c && ./main", []);
    check("npx tsc --noEmit src/app.ts", []);
    check("grep -q done src/app.js", []);
    check("test -f src/app.js", []);
    check("node src/app.js | diff - expected.txt", ["expected.txt"]);
    check("diff out.txt expected.txt", ["expected.txt"]);
    check('test "$(node src/app.js)" = 3', []);
    check("node --check src/app.js", []);
  });

  it("are modules of the settings, with the ending left out or not", () => {
    const modules = ["./verify/judge.mjs", "tools/lint"];
    expect(namedFiles({ commands: [], modules, directory: "" }, tree)).toEqual(["tools/lint.js", "verify/judge.mjs"]);
  });
});

describe("the first words of checks", () => {
  it("are those of every command, also in the scripts of a manifest", () => {
    const commands = ["FOO=1 pytest -q && make check | tee log", "npm test"];
    expect(firstWords({ commands, directory: "" }, tree)).toEqual(["pytest", "make", "tee", "npm", "node", "sh"]);
  });
});
