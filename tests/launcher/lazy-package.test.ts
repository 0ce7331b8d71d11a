import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const parts = join(import.meta.dirname, "../../dist/cli");

it("a package that few commands use is a part of its own, loaded on first use", () => {
  const holders = globSync("*.cjs", { cwd: parts }).filter((name) =>
    readFileSync(join(parts, name), "utf8").includes("node_modules/yaml/dist/"),
  );
  expect(holders).toEqual(["yaml.cjs"]);
});
