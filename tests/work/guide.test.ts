import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { settingsSchema } from "../../src/core/settings/settings.ts";
import { launcher } from "../run/scratch-project.ts";
import { openWork } from "./open-work.ts";
import { patient } from "../patience.ts";

const guide = readFileSync(join(import.meta.dirname, "../../docs/guide/work.md"), "utf8");

it("has a guide whose first example works and whose settings are known (S2-56)", async () => {
  const work = openWork();
  work.worker("echo 'echo hello' > hello.sh; claim");
  const folder = join(work.root, "bin");
  mkdirSync(folder);
  writeFileSync(join(folder, "ralph"), `#!/bin/sh\nexec '${process.execPath}' '${launcher}' "$@"\n`);
  chmodSync(join(folder, "ralph"), 0o755);
  const env = { PATH: `${folder}:/usr/bin:/bin`, RALPH_STATE_HOME: join(work.root, "state"), HOME: work.root };
  const script = /```sh\n([^]*?)```/.exec(guide)?.[1] ?? "";
  const { stdout } = await promisify(execFile)("sh", ["-e", "-c", script], {
    cwd: work.directory,
    env,
    timeout: patient(45_000),
  });
  expect(stdout).toContain("External verification passed");
  for (const [, json] of guide.matchAll(/```json\n([^]*?)```/g))
    expect(() => settingsSchema.parse(JSON.parse(json ?? ""))).not.toThrow();
});
