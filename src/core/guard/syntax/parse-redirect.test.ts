import { expect, it } from "vitest";
import { openCursor } from "./cursor.ts";
import { parseRedirect, readHeredocs } from "./parse-redirect.ts";

it("reads a redirect with its descriptor, and leaves everything else alone", () => {
  const budget = { stepsLeft: 1000, depth: 0, failure: null };
  expect(parseRedirect(openCursor("2>> log", budget), () => [])).toMatchObject({ operator: ">>", descriptor: "2" });
  expect(parseRedirect(openCursor("<(ls)", budget), () => [])).toBeNull();
  expect(parseRedirect(openCursor("2 >x", budget), () => [])).toBeNull();
});

it("fills a heredoc when its lines are reached (R-122)", () => {
  const cursor = openCursor("<<'E'\nrm -rf /\nE\nls", { stepsLeft: 1000, depth: 0, failure: null });
  const redirect = parseRedirect(cursor, () => []);
  expect(redirect?.body).toBeNull();
  cursor.at += 1;
  readHeredocs(cursor, () => []);
  expect(redirect?.body).toEqual([{ type: "text", text: "rm -rf /\n", isQuoted: true }]);
  expect(cursor.text.slice(cursor.at)).toBe("ls");
});
