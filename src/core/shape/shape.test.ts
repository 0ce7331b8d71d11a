import { describe, expect, it } from "vitest";
import {
  count,
  either,
  flag,
  list,
  mapOf,
  nullable,
  number,
  oneOf,
  optional,
  objectOf,
  type Shape,
  shapeProblem,
  tagged,
  text,
} from "./shape.ts";

function check<Value>(shape: Shape<Value>, value: unknown, problem: string | null): void {
  expect(shapeProblem(shape, value)).toBe(problem);
}

describe("a shape", () => {
  const point = objectOf<{ x: number; name?: string }>({ x: number, name: optional(text) });

  it("names the field that is missing or of another type", () => {
    check(point, { x: 1 }, null);
    check(point, { x: 1, name: "a" }, null);
    check(point, { name: "a" }, "x is not a number");
    check(point, { x: 1, name: 2 }, "name is not a text");
    check(point, [], "it is not an object");
  });

  it("names the place inside lists and objects", () => {
    check(
      objectOf<{ points: object[] }>({ points: list(point) }),
      { points: [{ x: 1 }, {}] },
      "points[1].x is not a number",
    );
    check(list(flag), "x", "it is not a list");
  });

  it("takes any key of a map and names the one whose value is of another type", () => {
    check(mapOf(number), {}, null);
    check(mapOf(number), { a: 1, b: 2 }, null);
    check(objectOf<{ by: Record<string, number> }>({ by: mapOf(number) }), { by: { a: "x" } }, "by.a is not a number");
    check(mapOf(number), [1], "it is not an object");
  });

  it("takes null only where it may stand", () => {
    check(nullable(flag), null, null);
    check(flag, null, "it is not true or false");
  });

  it("counts in whole numbers from 0 and takes no number that JSON does not know", () => {
    check(count, 0, null);
    check(count, 1.5, "it is not a whole number of at least 0");
    check(number, Number.NaN, "it is not a number");
  });

  it("knows every member of a closed union and no other", () => {
    type Sign = { kind: "on" } | { kind: "off"; since: number };
    const sign = tagged<"kind", Sign>("kind", {
      on: objectOf<{ kind: "on" }>({ kind: oneOf("on") }),
      off: objectOf<{ kind: "off"; since: number }>({ kind: oneOf("off"), since: number }),
    });
    check(sign, { kind: "on" }, null);
    check(sign, { kind: "off" }, "since is not a number");
    check(sign, { kind: "else" }, "kind is unknown");
    check(sign, {}, "kind is unknown");
  });

  it("takes one of two objects by the field that tells them apart", () => {
    const shape = either("blob", objectOf({ blob: text }), objectOf({ text }));
    check(shape, { blob: "a" }, null);
    check(shape, { text: "a" }, null);
    check(shape, {}, "text is not a text");
  });
});
