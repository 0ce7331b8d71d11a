import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { createMemoryStore } from "../../src/shell/stores/memory/memory-store.ts";
import { openSqliteStore } from "../../src/shell/stores/sqlite/sqlite-store.ts";
import { describeStoreContract } from "./store-contract.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describeStoreContract("memory", async (clock) => createMemoryStore({ now: () => clock.now }));
describeStoreContract("sqlite", (clock) => {
  const folder = mkdtempSync(join(tmpdir(), "ralph-store-"));
  folders.push(folder);
  return openSqliteStore({ folder, now: () => clock.now });
});
