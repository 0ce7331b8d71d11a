import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRepository } from "../../../tests/git/scratch-repository.ts";
import { findLock, removeOwnLock, withIndexNote } from "./index-lock.ts";
import { findRepository } from "./repository.ts";

function openPlace() {
  const scene = openRepository();
  const folder = join(scene.root, "store");
  mkdirSync(folder);
  const { disk } = scene.place;
  const repository = findRepository(disk, scene.project);
  if (repository === null) throw new Error("there is a repository");
  const lock = join(scene.project, ".git/index.lock");
  return { place: { disk, folder, repository }, lock, note: join(folder, "index-is-written") };
}

describe("a lock of the index", () => {
  it("that our call left when the driver died is removed", async () => {
    const { place, lock, note } = openPlace();
    // As `kill -9` leaves it: the note is there, and git's lock is younger.
    const death = withIndexNote(place, () => new Promise<void>(() => {}));
    await expect.poll(() => existsSync(note)).toBe(true);
    writeFileSync(lock, "");
    void death;
    expect(removeOwnLock(place)).toBe(lock);
    expect([existsSync(lock), existsSync(note), findLock(place)]).toEqual([false, false, null]);
  });

  it("of somebody else stays and is named by its path with the remedy", async () => {
    const { place, lock } = openPlace();
    writeFileSync(lock, "");
    expect(removeOwnLock(place)).toBeNull();
    expect(findLock(place)).toContain(`rm '${lock}'`);
    await withIndexNote(place, () => Promise.resolve());
    expect(removeOwnLock(place)).toBeNull();
    expect(existsSync(lock)).toBe(true);
  });

  it("that is older than our call is somebody else's", async () => {
    const { place, lock, note } = openPlace();
    writeFileSync(lock, "");
    utimesSync(lock, 1000, 1000);
    void withIndexNote(place, () => new Promise<void>(() => {}));
    await expect.poll(() => existsSync(note)).toBe(true);
    expect(removeOwnLock(place)).toBeNull();
    expect(existsSync(lock)).toBe(true);
  });
});
