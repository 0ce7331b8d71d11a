import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { createMemoryStore } from "../../src/shell/stores/memory/memory-store.ts";
import { openSqliteStore } from "../../src/shell/stores/sqlite/sqlite-store.ts";
import { describeStoreContract } from "./store-contract.ts";

const root = mkdtempSync(join(tmpdir(), "ralph-store-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describeStoreContract("memory", async (clock) => createMemoryStore({ now: () => clock.now }));
describeStoreContract("sqlite", (clock) =>
  openSqliteStore({ folder: mkdtempSync(join(root, "state-")), now: () => clock.now }),
);
