import { expect, it, onTestFinished, vi } from "vitest";
import { exactStream, guardOutput, releaseOutput, writeExact } from "./guard-output.ts";

function openGuard(): string[] {
  const written: string[] = [];
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, "write").mockImplementation((chunk) => {
      written.push(typeof chunk === "string" ? chunk : `bytes ${chunk.length}`);
      return true;
    }),
  );
  onTestFinished(() => {
    releaseOutput();
    spies.forEach((spy) => spy.mockRestore());
  });
  guardOutput();
  return written;
}

it("lets nothing act on a terminal, whoever writes it (S1-74)", () => {
  const written = openGuard();
  process.stdout.write("a\u001B[2J\u202Eb\n");
  process.stderr.write("\u001B[31mred\u001B[39m\u001B]0;title\u0007\n");
  process.stdout.write(new TextEncoder().encode("\u009Bc"));
  expect(written).toEqual(["ab\n", "\u001B[31mred\u001B[39m\n", "c"]);
});

it("writes codes of its own and content for programs as they are", () => {
  const written = openGuard();
  writeExact(process.stdout, "\u001B[2J");
  writeExact(process.stdout, new Uint8Array([0x9b]));
  exactStream(process.stderr).write("\u001B[1G");
  expect(written).toEqual(["\u001B[2J", "bytes 1", "\u001B[1G"]);
});

it("gives the streams back as they were", () => {
  const written = openGuard();
  releaseOutput();
  process.stdout.write("\u001B[2J");
  expect(written).toEqual(["\u001B[2J"]);
});
