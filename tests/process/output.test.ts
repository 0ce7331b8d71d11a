import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { createProcesses } from "../../src/shell/processes/processes.ts";
import { eventually, orderOf, startProgram } from "./start-program.ts";

it("reads a flood of standard error without losing or blocking anything (R-85)", async () => {
  let bytes = 0;
  const onStderr = (chunk: Uint8Array): undefined => {
    bytes += chunk.length;
  };
  const program = await startProgram("floods-stderr.mjs", { onStderr });
  expect(await program.process.ended).toMatchObject({ exitCode: 0 });
  expect(bytes).toBe(320 * 65_536);
  expect(program.said()).toBe("done\n");
});

it.runIf(process.platform === "linux")("reads a flood into one buffer, whose memory does not pile up", async () => {
  const memories = new Set<ArrayBufferLike>();
  const onStderr = (chunk: Uint8Array): undefined => {
    memories.add(chunk.buffer);
  };
  const program = await startProgram("floods-stderr.mjs", { onStderr });
  expect(await program.process.ended).toMatchObject({ exitCode: 0 });
  expect(memories.size).toBe(1);
});

it("lets a command write to /dev/stderr and /dev/stdout, as it can in a terminal", async () => {
  let errors = "";
  const onStderr = (chunk: Uint8Array): undefined => {
    errors += Buffer.from(chunk).toString();
  };
  const program = await startProgram("writes-to-dev-stderr.sh", { onStderr });
  expect(await program.process.ended).toMatchObject({ exitCode: 0 });
  expect(errors).toBe("to-stderr\nthrough-tee\n");
  expect(program.said()).toBe("through-tee\n");
});

const countOpen = (): number => readdirSync("/dev/fd").length;

async function startAndEnd(argv: string[]): Promise<void> {
  const start = await createProcesses().start(orderOf("never-reads-stdin.sh", { argv, stdin: "x" }));
  if (start.isStarted) await start.process.ended;
}

it("leaves no descriptor open behind", async () => {
  await startAndEnd(["true"]);
  const before = countOpen();
  for (let count = 0; count < 10; count += 1) await startAndEnd([count % 2 === 0 ? "true" : "no-such-program"]);
  await eventually(() => expect(countOpen()).toBeLessThanOrEqual(before));
});

it("closes standard input behind the prompt (R-85)", async () => {
  const program = await startProgram("reads-stdin-to-eof.mjs", { stdin: "do the work" });
  expect(await program.process.ended).toMatchObject({ exitCode: 0 });
  expect(program.said()).toBe("11 bytes\n");
});

it("gives an empty standard input when there is no prompt (R-85)", async () => {
  const program = await startProgram("reads-stdin-to-eof.mjs", { stdin: null });
  expect(await program.process.ended).toMatchObject({ exitCode: 0 });
  expect(program.said()).toBe("0 bytes\n");
});

it("hands over a prompt far larger than a pipe (R-85)", async () => {
  const program = await startProgram("reads-stdin-to-eof.mjs", { stdin: new Uint8Array(12_000_000) });
  await program.process.ended;
  expect(program.said()).toBe("12000000 bytes\n");
});

it("takes no harm from a process that does not read its large prompt", async () => {
  const program = await startProgram("never-reads-stdin.sh", { stdin: "x".repeat(5_000_000) });
  expect(await program.process.ended).toMatchObject({ exitCode: 3, survivors: [] });
});

it("holds the stream back while the reader waits, and cuts a held process all the same", async () => {
  let chunks = 0;
  const held = Promise.withResolvers<void>();
  const onStdout = (): Promise<void> => {
    chunks += 1;
    return held.promise;
  };
  const program = await startProgram("floods-forever.sh", { onStdout, wallMs: 1_000 });
  await eventually(() => expect(chunks).toBe(1));
  setTimeout(() => held.resolve(), 1_300);
  expect(await program.process.ended).toMatchObject({ timedOut: "wall", survivors: [] });
  // Only what the pipe held: a program that is not held back writes gigabytes in that time.
  expect(program.said().length).toBeLessThan(4_000_000);
});

it("looks after the process even when a reader throws or rejects", async () => {
  let calls = 0;
  const onStdout = (): Promise<void> => {
    calls += 1;
    if (calls % 2 === 0) return Promise.reject(new Error("reader rejects"));
    throw new Error("reader throws");
  };
  const program = await startProgram("speaks-steadily.sh", { onStdout });
  expect(await program.process.ended).toMatchObject({ exitCode: 0, survivors: [] });
  expect(program.said()).toContain("39\n");
});
