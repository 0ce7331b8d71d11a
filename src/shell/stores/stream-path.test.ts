import { expect, it } from "vitest";
import { streamPath } from "./stream-path.ts";

it("gives every turn of a run a file in the run's own folder", () => {
  expect(streamPath("/state", "20261115-204355-k7q2", 7)).toBe("/state/streams/20261115-204355-k7q2/turn-7.log");
});

it("never leaves the folder of the streams", () => {
  expect(() => streamPath("/state", "../ralph.db", 7)).toThrow(/can be the name of a folder/);
});
