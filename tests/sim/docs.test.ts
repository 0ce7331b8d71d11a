import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { settingsSchema } from "../../src/core/settings/settings.ts";
import { stepNames } from "../../src/surfaces/sim/read-step.ts";
import { parseScript } from "../../src/surfaces/sim/script.ts";

const page = readFileSync(new URL("../../docs/sim.md", import.meta.url), "utf8");

it("docs/sim.md has a row for every step and for no other", () => {
  const table = page.slice(page.indexOf("## Steps"));
  const rows = [...table.matchAll(/^\| `([a-z-]+)`/gm)].map((match) => match[1] ?? "");
  expect(rows.toSorted()).toEqual([...stepNames].toSorted());
});

it("the example in docs/sim.md is a script and settings that can be read", () => {
  const script = /```yaml\n(.*?)```/s.exec(page)?.[1] ?? "";
  expect(parseScript(script, "sim.yaml").turns).toHaveLength(2);
  const settings = /```json\n(.*?)```/s.exec(page)?.[1] ?? "";
  expect(settingsSchema.parse(JSON.parse(settings)).agent.command).toBe("sim");
});
