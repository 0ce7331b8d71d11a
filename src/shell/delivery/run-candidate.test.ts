import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRepository, type ScratchRepository } from "../../../tests/git/scratch-repository.ts";
import { type CandidateContext, fixCandidate } from "./run-candidate.ts";
import { treeFingerprint } from "../git/trees/tree-fingerprint.ts";

function contextOf(scene: ScratchRepository, notes: string[]): CandidateContext {
  const settings = { scm: null } as unknown as CandidateContext["frozen"]["settings"];
  const startCommit = scene.git("rev-parse", "HEAD");
  return {
    ...scene.place,
    frozen: { projectDir: scene.project, settings, untrackedAtStart: [], startCommit },
    note: (_, text) => {
      notes.push(text);
      return Promise.resolve();
    },
  };
}

describe("the candidate of a run", () => {
  it("is refused when another repository with the same files stands in the place of its own", async () => {
    const scene = openRepository();
    const notes: string[] = [];
    const context = contextOf(scene, notes);
    await scene.open();
    const fix = async (): Promise<string | null> => {
      const lookedSinceUpMs = performance.now();
      await treeFingerprint(context);
      return fixCandidate(context, `${context.runId}.1`, { lookedSinceUpMs });
    };
    const tree = scene.git("rev-parse", "HEAD^{tree}");
    expect([await fix(), await fix(), notes]).toEqual([tree, tree, []]);
    rmSync(join(scene.project, ".git"), { recursive: true });
    scene.git("init", "-q", "-b", "main");
    scene.git("add", "-A");
    scene.git("commit", "-q", "-m", "another start");
    expect(await fix()).toBe("unknown");
    expect(notes).toEqual([expect.stringContaining("that the run began with is gone")]);
  });
});
