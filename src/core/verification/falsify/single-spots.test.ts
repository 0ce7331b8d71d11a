import { describe, expect, it } from "vitest";
import { singleSpots, spotsById } from "./single-spots.ts";

describe("expectations that are made false one at a time", () => {
  it("leave the other expectations as they are", () => {
    const text = "assert a() == 1\nassert b() == 2\n";
    const [first, second] = singleSpots(new Map([["test_a.py", text]]), 10);
    expect(first?.text).toContain("b() == 2\n");
    expect(second?.text).toContain("a() == 1\n");
  });

  it("are only so many, from the first file to the last", () => {
    const text = Array.from({ length: 50 }, (_, index) => `assert a() == ${index}\n`).join("");
    const spots = singleSpots(
      new Map([
        ["test_a.py", text],
        ["test_b.py", text],
      ]),
      8,
    );
    expect(spots).toHaveLength(8);
    expect(spots.filter(({ path }) => path === "test_b.py")).toHaveLength(4);
  });

  it("are found again by their ids among new tests, unless their file changed", () => {
    const text = "assert a() == 1\nassert b() == 2\n";
    const ids = singleSpots(new Map([["test_a.py", text]]), 10).map(({ id }) => id);
    const added = Array.from({ length: 90 }, (_, index) => [`test_${index}.py`, text] as const);
    expect([...spotsById(new Map([...added, ["test_a.py", text]]), ids).keys()]).toEqual(ids);
    expect(spotsById(new Map([["test_a.py", `${text}#`]]), ids).size).toBe(0);
  });
});
