import { expect, it } from "vitest";
import { installCommands } from "./install-command.ts";

const check = (paths: string[], expected: string[]): void => {
  const found = installCommands(paths).map(({ folder, argv }) => `${folder}: ${argv.slice(0, 2).join(" ")}`);
  expect(found).toEqual(expected);
};

it("installs by the lock file of each folder, once", () => {
  check(["src/a.js", "README.md"], []);
  check(["package-lock.json", "npm-shrinkwrap.json"], [": npm ci"]);
  check(["web/pnpm-lock.yaml", "uv.lock", "yarn.lock"], [": uv sync", "web: pnpm install", ": yarn install"]);
});

it("leaves lock files of packages and of test data alone", () => {
  check(["node_modules/a/package-lock.json", "tests/fixtures/app/yarn.lock", "a/testdata/uv.lock"], []);
});

it("starts no program of a package", () => {
  for (const { argv } of installCommands(["package-lock.json", "a/pnpm-lock.yaml", "b/yarn.lock"]))
    expect(argv).toContain("--ignore-scripts");
});
