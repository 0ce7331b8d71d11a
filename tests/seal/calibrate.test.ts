import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import type { CalibratedEnd } from "../../src/core/verification/sealed/calibration.ts";
import { calibrateChecks } from "../../src/shell/seal/calibrate.ts";
import { bubblewrap, runIn } from "./check-scene.ts";
import { sealScene } from "./seal-scene.ts";

it("tells a check that needs an ignored file, or writes among its tests, and says what mends it", async () => {
  const scene = await sealScene({ "tests/a": "1", ".gitignore": ".env.test\ndist/\n", "src/a": "1" });
  scene.repository.write(".env.test", "A=1");
  scene.repository.write("dist/x", "1");
  const copy = scene.copy();
  const sealed = await scene.sealed();
  const inTree = (command: string) => async (): Promise<CalibratedEnd> => {
    const { project, env } = scene.repository;
    const output = execFileSync("sh", ["-c", command], { cwd: project, env, encoding: "utf8" });
    return { exitCode: 0, isTimedOut: false, output, tests: null, durationMs: 10 };
  };
  const inCopy = (command: string) => async (): Promise<CalibratedEnd> => {
    await copy.prepare(sealed);
    const { end } = await runIn(command, { scene, copy, sealed });
    if (end.kind !== "ended") throw new Error(end.kind);
    return { ...end, tests: null };
  };
  const commands = ["cat src/a", "cat .env.test", "cat dist/x", "echo x > tests/out"];
  const checks = commands.map((name) => ({ name, inTree: inTree(name), inCopy: inCopy(name) }));
  const files = new Set(sealed.files.map(({ path }) => path));
  const options = { project: scene.repository.project, copy: copy.folder, isInBase: (path: string) => files.has(path) };
  const found = await calibrateChecks(checks, options);
  const hasNamespace = bubblewrap !== null;
  expect(found.map(({ name, isSame }) => [name, isSame])).toEqual([
    ["cat src/a", true],
    ["cat .env.test", false],
    ["cat dist/x", false],
    ["echo x > tests/out", !hasNamespace],
  ]);
  expect(found[1]?.proposal).toMatchObject({ include: [".env.test"], needsSetup: false });
  expect(found[2]?.proposal).toMatchObject({ include: [], needsSetup: true });
  expect(found[3]?.proposal.writable).toEqual(hasNamespace ? ["tests/out"] : []);
});
