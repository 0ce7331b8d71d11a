import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Called, callRalph } from "./call-ralph.ts";
import { type Fixture, fixtureNames, openFixture, readManifest } from "./open-fixture.ts";

describe.each(fixtureNames)("the store that %s left", (name) => {
  const { runs } = readManifest(name);
  const shared: { fixture: Fixture | null } = { fixture: null };
  const ralph = (words: string[]): Promise<Called> => {
    shared.fixture ??= openFixture(name);
    return callRalph(words, shared.fixture.env);
  };
  beforeAll(() => {
    shared.fixture = openFixture(name);
  });
  afterAll(() => shared.fixture?.remove());

  it("lists every run with its outcome and iteration", async () => {
    const { code, stdout, stderr } = await ralph(["status", "--all", "--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const listed = (JSON.parse(stdout) as { runs: Listed[] }).runs;
    for (const { id, scenario, kind, outcome, iteration } of runs.filter(({ parentId }) => parentId === null)) {
      const found = listed.find((run) => run.id === id);
      // A run whose program died has no outcome of its own yet, and a work run counts the iterations of its roles.
      const own = {
        kind,
        outcome: outcome ?? found?.outcome,
        iteration: kind === "work" ? found?.iteration : iteration,
      };
      expect(found, `in ${scenario}`).toMatchObject(own);
    }
  });

  it.each(runs)(
    "shows $scenario ($id), for people and for programs, and its journal",
    async ({ id, outcome, kind, parentId }) => {
      // Then a supervised task had none but its children, and the record of a work run shows those of its roles.
      const hasChecks = kind !== "supervise" && (kind !== "work" || parentId !== null);
      const textOf = async (words: string[]): Promise<string> => {
        const { code, stdout, stderr } = await ralph(words);
        expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: "" });
        expect(stdout).not.toMatch(/undefined|NaN|\[object/);
        return stdout;
      };
      expect(await textOf(["show", id, "--check"])).toContain(id);
      expect(await textOf(["logs", id])).not.toBe("");
      const isGreenShown = /^ {2}green: /m.test(await textOf(["show", id]));
      expect(isGreenShown || outcome !== "completed" || !hasChecks).toBe(true);
      const shown = outcome === null ? { id } : { id, outcome };
      expect(JSON.parse(await textOf(["show", id, "--json"]))).toMatchObject(shown);
    },
  );
});

type Listed = { id: string; kind: string; outcome: string | null; iteration: number };
