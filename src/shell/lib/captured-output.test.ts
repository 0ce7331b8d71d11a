import { describe, expect, it } from "vitest";
import { captureOutput } from "./captured-output.ts";

type Given = { chunks: (string | Uint8Array)[]; charsMax?: number; keep?: "head" | "tail" | "both" };

function check({ chunks, charsMax = 10, keep = "head" }: Given, expected: string): void {
  const output = captureOutput(charsMax, keep);
  for (const chunk of chunks) output.add(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  expect(output.text()).toBe(expected);
}

/** One text in pieces of a few bytes, so that characters are cut. */
function inPieces(text: string, bytes: number): Uint8Array[] {
  const all = Buffer.from(text);
  return Array.from({ length: Math.ceil(all.length / bytes) }, (_, index) =>
    all.subarray(index * bytes, (index + 1) * bytes),
  );
}

describe("captureOutput", () => {
  it("keeps short output whole, without a notice (S1-56)", () => {
    check({ chunks: [] }, "");
    check({ chunks: ["1234567890"] }, "1234567890");
  });

  it("keeps the first characters and says that something is missing (S1-56)", () =>
    check({ chunks: ["12345678901"] }, "1234567890... [truncated]"));

  it("keeps the other end, or both, where the settings say so (CW-1L)", () => {
    check({ chunks: ["abcdefghijklmnop"], keep: "tail" }, "... [truncated]\nghijklmnop");
    check({ chunks: ["abcdefghijklmnop"], keep: "both" }, "abcde... [truncated]\nlmnop");
  });

  it("trims white space at the end before it counts", () => {
    check({ chunks: ["1234567890\n\n  \n"] }, "1234567890");
    check({ chunks: ["error", " ".repeat(5000)], keep: "tail" }, "error");
  });

  it("counts characters, not bytes or halves of them (CW-1L, R-64)", () => {
    check({ chunks: ["😀".repeat(10)] }, "😀".repeat(10));
    check({ chunks: inPieces("😀".repeat(11), 3) }, `${"😀".repeat(10)}... [truncated]`);
    check({ chunks: inPieces(`${"é".repeat(300)}end`, 3), keep: "tail" }, `... [truncated]\n${"é".repeat(7)}end`);
  });

  it("replaces what is no UTF-8 and goes on (R-64)", () =>
    check({ chunks: [Uint8Array.of(0x61, 0xff, 0x62)] }, "a\uFFFDb"));

  it("finds both ends of ten megabytes, however they arrive (R-64)", () => {
    const middle = Array.from({ length: 160 }, () => "x".repeat(65_536));
    check({ chunks: ["head>", ...middle, "<tail"], keep: "both" }, "head>... [truncated]\n<tail");
    check({ chunks: [`head>${middle.join("")}<tail`], keep: "tail" }, "... [truncated]\nxxxxx<tail");
    check({ chunks: inPieces(`head>${"y".repeat(70_000)}<tail`, 7), keep: "both" }, "head>... [truncated]\n<tail");
  });
});
