import { expect, it } from "vitest";
import { carriersOf, startProgram } from "./start-program.ts";

it("ends a process that says nothing for the idle time (R-82, S3-25)", async () => {
  const program = await startProgram("never-exits.sh", { idleMs: 300 });
  expect(await program.process.ended).toMatchObject({ timedOut: "idle", isCut: false, signal: "SIGTERM" });
  expect(carriersOf(program.turnMarker)).toEqual([]);
});

it("does not end an idle-limited process while its output flows (R-82)", async () => {
  const program = await startProgram("speaks-steadily.sh", { idleMs: 1_500 });
  expect(await program.process.ended).toMatchObject({ timedOut: null, exitCode: 0 });
  expect(program.said()).toContain("39\n");
});

it("ends a process at the wall-clock limit although its output flows (R-82, S3-25)", async () => {
  const program = await startProgram("floods-forever.sh", { idleMs: 60_000, wallMs: 300 });
  expect(await program.process.ended).toMatchObject({ timedOut: "wall", isCut: false, survivors: [] });
});

it("ends a process that closed its output but lives on at the idle limit (R-85)", async () => {
  const program = await startProgram("closes-stdout-and-lives.sh", { idleMs: 1_000 });
  expect(await program.process.ended).toMatchObject({ timedOut: "idle", survivors: [] });
  expect(program.said()).toBe("ready\n");
});

it("ends grandchildren at a timeout (R-80, S3-25)", async () => {
  const program = await startProgram("forks-grandchildren.sh", { wallMs: 500 });
  expect(await program.process.ended).toMatchObject({ timedOut: "wall", survivors: [] });
  expect(carriersOf(program.turnMarker)).toEqual([]);
});

it("ends a process that hangs after its result, counting silence from the last output, as no failure", async () => {
  const program = await startProgram("never-exits-after-result.sh");
  await program.firstLine();
  program.process.endAfterSilence(1_000);
  const end = await program.process.ended;
  expect(end).toMatchObject({ timedOut: null, isCut: false, signal: "SIGTERM", survivors: [] });
  expect(program.said()).toContain("afterthought 5\n");
});

it("does not take waiting for its own reader as the agent's silence (R-82)", async () => {
  let heldCount = 0;
  const onStdout = (): Promise<void> | undefined => {
    heldCount += 1;
    if (heldCount > 1) return undefined;
    return new Promise((resolve) => {
      setTimeout(resolve, 1_500);
    });
  };
  const program = await startProgram("speaks-steadily.sh", { idleMs: 700, onStdout });
  expect(await program.process.ended).toMatchObject({ timedOut: null, exitCode: 0 });
});
