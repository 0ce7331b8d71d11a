import { expect, it } from "vitest";
import { openRepository } from "../../../../tests/git/scratch-repository.ts";
import { candidateTree } from "./candidate.ts";
import { changesSince } from "./changes-since.ts";
import { convertedFiles } from "./converted-files.ts";

const mebibyte = 1024 * 1024;

it("hashes a large file in parts, lets other work have its turn between them, and ends when the file grows", async () => {
  const scene = openRepository();
  const run = await scene.open();
  scene.write("large.bin", "x".repeat(8 * mebibyte));
  const candidate = await candidateTree(run, { stage: "all", untrackedAtStart: [] });
  const changes = await changesSince(run, scene.git("rev-parse", "HEAD"), candidate.tree);
  const seen = { reads: 0, readsAtTurn: 8 };
  const open: typeof run.disk.open = (path, purpose) => {
    const file = run.disk.open(path, purpose);
    if (file === null) return null;
    const read: typeof file.read = (buffer, position) => {
      seen.reads += 1;
      if (seen.reads === 1) setImmediate(() => (seen.readsAtTurn = seen.reads));
      // A file that grows as fast as it is read.
      return position < 8 * mebibyte ? file.read(buffer, position) : buffer.length;
    };
    return { ...file, read };
  };
  expect(await convertedFiles({ ...run, disk: { ...run.disk, open } }, { candidate, changes })).toEqual([]);
  expect([seen.reads, seen.readsAtTurn < 8]).toEqual([8, true]);
});
