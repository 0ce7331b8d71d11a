import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { ProcessOrder, ProcessStart } from "../../src/shell/ports.ts";
import { createProcesses } from "../../src/shell/processes/processes.ts";
import { orderOf } from "./start-program.ts";

const folder = mkdtempSync(join(tmpdir(), "ralph-start-"));
afterAll(() => rmSync(folder, { recursive: true }));

const start = (overrides: Partial<ProcessOrder>): Promise<ProcessStart> =>
  createProcesses().start(orderOf("never-reads-stdin.sh", overrides));

function write(name: string, content: string, mode: number): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

async function check(overrides: Partial<ProcessOrder>, kind: string, words: string[]): Promise<void> {
  const result = await start(overrides);
  expect(result).toMatchObject({ isStarted: false, kind });
  for (const word of words) expect(result).toHaveProperty("message", expect.stringContaining(word));
}

it("names a program that is not in PATH and the remedy (R-83)", async () => {
  await check({ argv: ["no-such-agent", "x"] }, "not-found", ['"no-such-agent"', "PATH", "Install it"]);
});

it("names a path without a file (R-83)", async () => {
  const path = join(folder, "missing");
  await check({ argv: [path] }, "not-found", [path, "no such file"]);
});

it("tells a file that may not be executed from a missing one (R-83)", async () => {
  const path = write("plain", "#!/bin/sh\n", 0o644);
  await check({ argv: [path] }, "not-executable", [path, "chmod +x"]);
  await check({ argv: [folder] }, "not-executable", [folder]);
});

it("tells a missing interpreter from a missing program (R-83)", async () => {
  const path = write("script", "#!/no/such/interpreter\n", 0o755);
  await check({ argv: [path] }, "not-executable", [path, "interpreter"]);
  await check({ argv: ["script"], env: { PATH: folder } }, "not-executable", [path, "interpreter"]);
});

it("tells a missing directory from a missing program (R-83)", async () => {
  const cwd = join(folder, "nowhere");
  await check({ cwd }, "bad-directory", ['"sh"', cwd, "no such directory"]);
  await check({ cwd: write("file", "", 0o644) }, "bad-directory", ["not a directory"]);
});

it("calls a command line that is too long a matter of resources (R-83)", async () => {
  await check({ argv: ["echo", "x".repeat(8_000_000)] }, "resources", ['"echo"', "stdin"]);
});

it("refuses an empty command and a zero byte in an argument without throwing (R-83)", async () => {
  await check({ argv: [] }, "not-found", ["empty"]);
  await check({ argv: ["echo", "a\0b"] }, "not-executable", ['"echo"']);
});

it("adds nothing to the environment it is given", async () => {
  let text = "";
  const result = await start({
    argv: ["/usr/bin/env"],
    env: { ONLY: "this" },
    onStdout: (chunk) => {
      text += Buffer.from(chunk).toString();
      return undefined;
    },
  });
  if (result.isStarted) await result.process.ended;
  expect(text).toBe("ONLY=this\n");
});
