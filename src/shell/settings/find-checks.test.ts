import { expect, it } from "vitest";
import { findChecks } from "./find-checks.ts";

it("reads the files of a project's root, and one that cannot be read tells nothing", async () => {
  const files: Record<string, string> = { "/project/go.mod": "module x", "/project/Cargo.toml": "" };
  const readText = (path: string): Promise<string | null> =>
    path.endsWith("Cargo.toml") ? Promise.reject(new Error("EACCES")) : Promise.resolve(files[path] ?? null);
  expect(await findChecks({ readText }, "/project")).toEqual(["go test ./...", "go vet ./..."]);
});
