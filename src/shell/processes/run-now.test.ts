import { expect, it } from "vitest";
import { runNow } from "./run-now.ts";

const limits = { timeoutMs: 60_000, outputBytesMax: 1000 };
const env = { PATH: process.env["PATH"] ?? "" };

/** What a line of Node prints, run at once. */
function check(script: string, expected: string | null, bounds: Partial<typeof limits> = {}): void {
  const argv = [process.execPath, "-e", script];
  expect(runNow({ purpose: "tool", argv, env, ...limits, ...bounds })).toBe(expected);
}

it("returns what the program prints, with exactly the environment given", () => {
  check("process.stdout.write(Object.keys(process.env).join())", "PATH");
});

it("returns nothing for a program that fails", () => check("console.log(1); process.exit(1)", null));

it("returns nothing for a program that prints too much", () => {
  check("process.stdout.write('x'.repeat(5000))", null);
});

it("kills a program that hangs, also one that ignores the polite signal", () => {
  check("process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)", null, { timeoutMs: 200 });
});

it("returns nothing for a program that is missing", () => {
  expect(runNow({ purpose: "tool", argv: ["/nowhere/program"], env, ...limits })).toBe(null);
});
