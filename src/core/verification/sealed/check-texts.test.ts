import { expect, it } from "vitest";
import { checkTexts } from "./check-texts.ts";

it("names the programs that scripts start, beside the commands themselves", () => {
  const manifest = JSON.stringify({ scripts: { lint: "eslint . && tsc -b" } });
  const files = (path: string): string | null => (path === "package.json" ? manifest : null);
  expect(checkTexts(["npm run lint", "cd web && make"], files)).toEqual([
    "npm run lint",
    "cd web && make",
    "eslint .",
    "tsc -b",
  ]);
});
