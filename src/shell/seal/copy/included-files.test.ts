import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readIncluded, sealIncluded } from "./included-files.ts";

function openProject(files: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), "ralph-included-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [project, folder] = [join(root, "project"), join(root, "seal/include")];
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  return { project, folder };
}

it("keeps included files as they were at the seal, whatever the agent makes of them", async () => {
  const places = openProject({ ".env.test": "A=1", "data/x.bin": "\u0000\u00ff", "node_modules/.env.test": "no" });
  const hashes = await sealIncluded([".env.test", "data/**"], places);
  expect(Object.keys(hashes).toSorted()).toEqual([".env.test", "data/x.bin"]);
  writeFileSync(join(places.project, ".env.test"), "A=2");
  const included = readIncluded(places.folder, hashes);
  expect(Buffer.from(included.get(".env.test") ?? []).toString()).toBe("A=1");
  expect(Buffer.from(included.get("data/x.bin") ?? []).toString()).toBe("\u0000\u00ff");
});

it("refuses included files that were changed after the seal", async () => {
  const places = openProject({ ".env.test": "A=1" });
  const hashes = await sealIncluded([".env.test"], places);
  writeFileSync(join(places.folder, ".env.test"), "A=2");
  expect(() => readIncluded(places.folder, hashes)).toThrow(/\.env\.test was changed/);
});

it("refuses a name that matches no file", async () => {
  const places = openProject({ a: "1" });
  await expect(sealIncluded([".env.test"], places)).rejects.toThrow(/"\.env\.test" of seal\.include matches 0 files/);
});
