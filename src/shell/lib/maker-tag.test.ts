import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { isMakerDead, makerTag } from "./maker-tag.ts";

const withPid = (pid: number): string => makerTag().replace(/^\d+/, String(pid));
/** Behind the point: eight digits for the place, then the start. */
const startLength = makerTag().length - makerTag().indexOf(".") - 9;

it.each([
  ["of this process", makerTag(), false],
  ["of a living process, from a version that noted no start", withPid(process.ppid).slice(0, -startLength), false],
  ["of a process whose pid another one has now", withPid(process.ppid), process.platform === "linux"],
  ["of a process that has ended", withPid(spawnSync("true").pid), true],
  ["of another machine", `${spawnSync("true").pid}.0`, false],
  ["without a process", withPid(0), false],
])("tells whether nobody uses what bears a tag %s", (_, tag, isDead) => {
  expect(isMakerDead(tag)).toBe(isDead);
});
