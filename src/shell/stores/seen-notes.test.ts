import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rememberNotes, takeUnseenNotes } from "./seen-notes.ts";
import { openSqliteStore } from "./sqlite/sqlite-store.ts";

const notes = ["one", "two"].map((id) => ({ id, text: `Note ${id}.` }));
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ralph-notes-"));
});

afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true });
});

const idsTaken = (): string[] => takeUnseenNotes(folder, notes).map(({ id }) => id);

describe("notes for users of an earlier version", () => {
  it("are taken once, where a store is that knows none of them", () => {
    writeFileSync(join(folder, "ralph.db"), "");
    expect(idsTaken()).toEqual(["one", "two"]);
    expect(idsTaken()).toEqual([]);
  });

  it("are taken one by one: what was remembered stays, what is new comes", () => {
    writeFileSync(join(folder, "ralph.db"), "");
    rememberNotes(folder, notes.slice(0, 1));
    expect(idsTaken()).toEqual(["two"]);
  });

  it("are not for a new user: nothing is told, and nothing is written", () => {
    expect(idsTaken()).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("are remembered before a store is created", async () => {
    const store = await openSqliteStore({ folder });
    await store.close();
    expect(takeUnseenNotes(folder)).toEqual([]);
  });

  it("are not told where they cannot be remembered", () => {
    writeFileSync(join(folder, "ralph.db"), "");
    writeFileSync(join(folder, "seen-notes"), "a file in the place of the folder");
    expect(idsTaken()).toEqual([]);
    expect(() => rememberNotes(folder, notes)).not.toThrow();
  });

  it("are told where the folder is there and empty", () => {
    writeFileSync(join(folder, "ralph.db"), "");
    mkdirSync(join(folder, "seen-notes"));
    expect(idsTaken()).toEqual(["one", "two"]);
  });
});
