import { expect, it } from "vitest";
import { blobHashes } from "./blob-hashes.ts";

const hash = "0123456789abcdef".repeat(4);

it("finds each blob a JSON text refers to, once", () => {
  const other = "f".repeat(64);
  expect(blobHashes(JSON.stringify([{ blob: hash }, { output: { blob: other } }, { blob: hash }]))).toEqual([
    hash,
    other,
  ]);
});

it("does not take a quotation in an agent's output for a reference", () => {
  expect(blobHashes(JSON.stringify({ text: JSON.stringify({ blob: hash }) }))).toEqual([]);
  expect(blobHashes(JSON.stringify({ blob: "short" }))).toEqual([]);
});
