import { expect, it } from "vitest";
import { parseOffset } from "./transcript-offset.ts";

const offset = { file: "1.2", bytes: 3, tail: "YQ==", queued: ["a"] };

it.each([
  ["an offset as it was stored", { ...offset, more: 1 }, offset],
  ["nothing", undefined, null],
  ["an offset without its file", { ...offset, file: 1 }, null],
  ["an offset before the begin", { ...offset, bytes: -1 }, null],
  ["a queue of something else than texts", { ...offset, queued: [1] }, null],
  ["a queue that is none", { ...offset, queued: "a" }, null],
])("reads %s", (_, value, expected) => {
  expect(parseOffset(value)).toEqual(expected);
});
