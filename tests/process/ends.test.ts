import { expect, it } from "vitest";
import { carriersOf, eventually, isThere, startProgram } from "./start-program.ts";

it("starts a process as leader of its own group and reports its own end (S3-20)", async () => {
  const program = await startProgram("never-reads-stdin.sh");
  const end = await program.process.ended;
  expect(end).toMatchObject({ exitCode: 3, signal: null, timedOut: null, isCut: false, isForced: false });
  expect(end).toMatchObject({ leftoverCount: 0, survivors: [] });
  expect(program.process.identity.pid).toBeGreaterThan(1);
});

it("listens for the exit of the program only while something runs, and once", async () => {
  const before = process.listenerCount("exit");
  const programs = [await startProgram("never-exits.sh"), await startProgram("never-exits.sh")];
  expect(process.listenerCount("exit")).toBe(before + 1);
  for (const program of programs) program.process.cut();
  await Promise.all(programs.map((program) => program.process.ended));
  expect(process.listenerCount("exit")).toBe(before);
});

it("ends a process that never exits when it is cut (S3-21, R-80)", async () => {
  const program = await startProgram("never-exits.sh", { killGraceMs: 10_000 });
  await program.firstLine();
  program.process.cut();
  program.process.cut();
  const end = await program.process.ended;
  expect(end).toMatchObject({ signal: "SIGTERM", isCut: true, isForced: false, timedOut: null, survivors: [] });
  expect(carriersOf(program.turnMarker)).toEqual([]);
});

it("does not wait for the grace when the process ends at once (R-81)", async () => {
  const program = await startProgram("ends-on-sigterm.sh", { killGraceMs: 3_600_000 });
  await program.firstLine();
  program.process.cut();
  expect(await program.process.ended).toMatchObject({ exitCode: 7, signal: null, isCut: true, isForced: false });
  expect(program.said()).toBe("ready\nfarewell\n");
});

it("kills a process that ignores SIGTERM after the grace (R-81, S3-21)", async () => {
  const program = await startProgram("ignores-sigterm.sh");
  await program.firstLine();
  program.process.cut();
  expect(await program.process.ended).toMatchObject({ signal: "SIGKILL", isCut: true, isForced: true, survivors: [] });
  expect(carriersOf(program.turnMarker)).toEqual([]);
});

it("ends a stopped process without force (S3-21)", async () => {
  const program = await startProgram("stops-itself.sh", { killGraceMs: 10_000 });
  await program.firstLine();
  program.process.cut();
  expect(await program.process.ended).toMatchObject({ signal: "SIGTERM", isForced: false, survivors: [] });
});

it("ends grandchildren with a cut process (R-80, S3-24)", async () => {
  const program = await startProgram("forks-grandchildren.sh");
  await program.firstLine();
  await eventually(() => expect(carriersOf(program.turnMarker).length).toBeGreaterThanOrEqual(6));
  program.process.cut();
  const end = await program.process.ended;
  expect(end.survivors).toEqual([]);
  expect(end.leftoverCount).toBeGreaterThanOrEqual(5);
  expect(carriersOf(program.turnMarker)).toEqual([]);
});

it("ends a descendant in its own session without environment when its parent is cut (R-80)", async () => {
  const program = await startProgram("clears-environment.mjs");
  const pid = Number(await program.firstLine());
  expect(isThere(pid)).toBe(true);
  program.process.cut();
  expect((await program.process.ended).survivors).toEqual([]);
  expect(isThere(pid)).toBe(false);
});

it("does nothing when it is cut after its end", async () => {
  const program = await startProgram("never-reads-stdin.sh");
  await program.process.ended;
  program.process.cut();
  expect(await program.process.ended).toMatchObject({ exitCode: 3, isCut: false });
});
