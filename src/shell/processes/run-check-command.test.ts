import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { createProcesses } from "./processes.ts";
import { apartShellArgv, runCheckCommand, shellArgv } from "./run-check-command.ts";

/** Prints by turns on both outputs. */
const command = "echo out 1; echo err 1 >&2; echo out 2; echo err 2 >&2";

async function check(argv: string[], charsMax: number, isApart: boolean): Promise<string[]> {
  const seen = { stdout: "", stderr: "" };
  const end = await runCheckCommand(
    {
      argv,
      cwd: tmpdir(),
      env: { PATH: process.env["PATH"] ?? "" },
      stdin: null,
      turnMarker: `check.${process.pid}/1`,
      wallMs: null,
      log: null,
      output: { charsMax, keep: "tail" },
      ...(isApart ? { outputs: "apart" as const } : {}),
      onStdout: (chunk) => void (seen.stdout += Buffer.from(chunk).toString()),
      onStderr: (chunk) => void (seen.stderr += Buffer.from(chunk).toString()),
    },
    { processes: createProcesses(), killGraceMs: 500, signal: new AbortController().signal },
  );
  return [end.kind === "ended" ? end.output : end.kind, seen.stdout, seen.stderr];
}

it("keeps the lines of both outputs in the order they were written", async () => {
  const all = "out 1\nerr 1\nout 2\nerr 2";
  expect(await check(shellArgv(command), 100, false)).toEqual([all, `${all}\n`, ""]);
});

it("keeps outputs that are apart one after the other, within the limit of both", async () => {
  const seen = ["out 1\nout 2\n", "err 1\nerr 2\n"];
  expect(await check(apartShellArgv(command), 100, true)).toEqual(["out 1\nout 2\nerr 1\nerr 2", ...seen]);
  expect(await check(apartShellArgv(command), 17, true)).toEqual(["... [truncated]\nout 2\nerr 1\nerr 2", ...seen]);
});
