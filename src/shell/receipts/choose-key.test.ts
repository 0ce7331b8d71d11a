import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createDisk } from "../lib/disk.ts";
import { chooseKey } from "./choose-key.ts";
import { createKey, keysFolder } from "./keys.ts";

const disk = createDisk();

async function keysOf(count: number): Promise<{ env: Record<string, string>; ids: string[] }> {
  const home = mkdtempSync(join(tmpdir(), "ralph-keys-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const env = { HOME: home };
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) ids.push((await createKey(disk, keysFolder(env))).id);
  return { env, ids };
}

it("signs with the only key, and with none where there is none", async () => {
  const { env, ids } = await keysOf(1);
  expect((await chooseKey({ disk, env }, null))?.id).toBe(ids[0]);
  expect(await chooseKey({ disk, env: (await keysOf(0)).env }, null)).toBeNull();
});

it("wants to know which of several keys signs", async () => {
  const { env, ids } = await keysOf(2);
  await expect(chooseKey({ disk, env }, null)).rejects.toThrow("Several keys could sign");
  expect((await chooseKey({ disk, env }, ids[1] ?? ""))?.id).toBe(ids[1]);
});

it("refuses a key that is not there", async () => {
  const { env } = await keysOf(1);
  await expect(chooseKey({ disk, env }, "zz")).rejects.toThrow('There is no key "zz".');
  await expect(chooseKey({ disk, env }, "")).rejects.toThrow('There is no key "".');
});
