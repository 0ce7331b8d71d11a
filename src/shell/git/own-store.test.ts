import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openRepository } from "../../../tests/git/scratch-repository.ts";
import { makerTag } from "../lib/maker-tag.ts";

it("removes what a driver left in a store that was killed while it wrote there, also when nothing is written again (R-44)", async () => {
  const scene = openRepository();
  const { folder } = (await scene.open()).store;
  const names = readdirSync(folder).toSorted();
  const dead = makerTag().replace(/^\d+/, String(spawnSync("true").pid));
  const living = `.HEAD.${makerTag()}-x.tmp`;
  for (const name of [`.HEAD.${dead}-x.tmp`, living]) writeFileSync(join(folder, name), "");
  await scene.open();
  expect(readdirSync(folder).toSorted()).toEqual([living, ...names].toSorted());
});
