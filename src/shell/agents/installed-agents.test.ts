import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { AgentAdapter } from "./adapter.ts";
import { installedAgents } from "./installed-agents.ts";

function agent(...commands: string[]): AgentAdapter {
  return { name: commands[0], commands } as unknown as AgentAdapter;
}

it("finds the agents that can be started from the path, in the order of the adapters", async () => {
  const root = mkdtempSync(join(tmpdir(), "ralph-path-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [first, second] = [join(root, "first"), join(root, "second")];
  for (const folder of [first, second]) mkdirSync(folder);
  writeFileSync(join(first, "able"), "", { mode: 0o755 });
  writeFileSync(join(second, "other"), "", { mode: 0o755 });
  writeFileSync(join(first, "not-executable"), "", { mode: 0o644 });
  mkdirSync(join(first, "folder"));
  const known = [agent("missing"), agent("other"), agent("not-executable"), agent("folder"), agent("able", "alias")];
  expect(await installedAgents(known, { PATH: `${first}::relative:${second}` }, "linux")).toEqual(["other", "able"]);
  expect(await installedAgents(known, { PATH: first }, "linux")).toEqual(["able"]);
  expect(await installedAgents(known, {}, "linux")).toEqual([]);
});
