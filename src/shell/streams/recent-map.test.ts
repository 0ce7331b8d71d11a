import { expect, it } from "vitest";
import { createRecentMap } from "./recent-map.ts";

it("keeps the youngest ids, forgets each older one once and says so", () => {
  const forgotten: number[] = [];
  const map = createRecentMap<number>(10, (value) => forgotten.push(value));
  for (let id = 0; id < 100; id += 1) map.set(String(id), id);
  for (let id = 90; id < 100; id += 1) expect(map.get(String(id))).toBe(id);
  expect(map.get("0")).toBeUndefined();
  expect(map.values().length).toBeLessThanOrEqual(20);
  expect([...forgotten, ...map.values()].toSorted((first, second) => first - second)).toEqual(
    Array.from({ length: 100 }, (_, id) => id),
  );
});

it("makes an id that is set again the youngest, with its new value only", () => {
  const forgotten: string[] = [];
  const map = createRecentMap<string>(2, (value) => forgotten.push(value));
  map.set("a", "first");
  map.set("b", "b");
  map.set("a", "second");
  map.set("c", "c");
  expect(map.get("a")).toBe("second");
  expect(forgotten).toEqual(["b"]);
});
