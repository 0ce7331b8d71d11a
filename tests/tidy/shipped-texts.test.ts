import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { readRepository } from "./source-file.ts";

const shipped = /^(?:src|templates|plugins|bin|\.claude-plugin)\//;

it("names nobody's home folder in what is shipped: paths come from the machine it runs on (CW-4P)", () => {
  const files = readRepository(resolve(join(import.meta.dirname, "../.."))).filter(
    ({ path }) => shipped.test(path) && !path.includes("/dist/") && !path.endsWith(".test.ts"),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter(({ text }) => /\/Users\/|\/home\/\w/.test(text)).map(({ path }) => path)).toEqual([]);
});
