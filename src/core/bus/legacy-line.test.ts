import { describe, expect, it } from "vitest";
import { parseLegacyLine } from "./legacy-line.ts";

describe("the old form of one line", () => {
  it("is a message with the number of its line as id", () => {
    expect(parseLegacyLine("[2026-02-03 04:05:06] WARNING: low: disk\r", 42)).toMatchObject({
      id: "LEGACY-LINE-000000042",
      at: "2026-02-03T04:05:06Z",
      type: "WARNING",
      body: "low: disk",
    });
  });

  it.each(["[2026-02-03] INFO: x", "2026-02-03 04:05:06 INFO: x", "[2026-02-03 04:05:06] : x", "", "[x] INFO: y"])(
    "is not seen in row %#",
    (text) => {
      expect(parseLegacyLine(text, 1)).toBeNull();
    },
  );
});
