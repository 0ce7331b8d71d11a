import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newSession } from "../../src/core/session/session-record.ts";
import type { HookTools } from "../../src/app/session/event/hook-tools.ts";
import type { HostEvent } from "../../src/app/session/event/host-event.ts";
import { stop } from "../../src/app/session/stop.ts";
import { stoppedWith, toolsBelow } from "./stopped-session.ts";

const claim = "All done. <promise>DONE</promise>";
let root: string;
let tools: HookTools;
let event: HostEvent;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "ralph-broken-"));
  mkdirSync(join(root, "project", "ralph"), { recursive: true });
  tools = toolsBelow(root);
  event = stoppedWith(claim, join(root, "project"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

type Json = Record<string, unknown>;

/** A loop in its second iteration, of a project with one criterion. */
function record(): Json {
  const startedAt = "2026-11-15T12:00:00.000Z";
  const loop = {
    active: true,
    iteration: 2,
    maxIterations: 5,
    completionPromise: "DONE",
    startedAt,
    prompt: "Fix it",
    sessionId: "s1",
  };
  const given = { directory: event.projectDir, continuationDelay: 0, criterionCount: 1, at: 7 };
  return structuredClone({
    ...newSession({ ...loop, lastIterationAt: startedAt, description: "x" }, given),
    idle: { count: 1, isDoubted: false },
    journal: { seq: 0, bytes: 0 },
  });
}

/** Every field of the record with a value of another type, and the record without it. */
function damages(): { what: string; value: Json }[] {
  return pathsOf(record()).flatMap((path) => {
    const removed = record();
    change(removed, path, () => undefined);
    const mistyped = record();
    change(mistyped, path, (item) => (typeof item === "string" ? 7 : "odd"));
    return [
      { what: `without ${path.join(".")}`, value: removed },
      { what: `with an odd ${path.join(".")}`, value: mistyped },
    ];
  });
}

function pathsOf(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [[...path, key], ...pathsOf(item, [...path, key])]);
}

function change(value: Json, [key = "", ...rest]: readonly string[], to: (item: unknown) => unknown): void {
  if (rest.length > 0) return change(value[key] as Json, rest, to);
  const next = to(value[key]);
  if (next !== undefined) value[key] = next;
  // A hole in a list is no JSON.
  else if (Array.isArray(value)) value.splice(Number(key), 1, null);
  else delete value[key];
}

/** Where this version keeps a session, and where the one before it did. */
const places = ["claude-code-s1/state.json", "session-s1.json"];

/** Begins again with this state, and with a criterion that these words do not meet, or without one. */
function store(value: Json, hasCriterion: boolean, place = "claude-code-s1/state.json"): void {
  rmSync(join(root, "state"), { recursive: true, force: true });
  mkdirSync(join(tools.sessionsFolder, "claude-code-s1"), { recursive: true });
  writeFileSync(join(tools.sessionsFolder, place), JSON.stringify(value));
  const coder = { promise: "NEVER SAID", verification_method: "string_match", verification_config: {} };
  const criteria = { outcome: "It works.", acceptance_criteria: ["it works"], coder };
  const path = join(event.projectDir, "ralph", "criteria.yaml");
  if (hasCriterion) writeFileSync(path, JSON.stringify(criteria));
  else rmSync(path, { force: true });
}

/** A loop need not have these. */
function isHarmless({ what }: { what: string }): boolean {
  return ["without loop.description", "without loop.lastIterationAt"].includes(what);
}

/** An earlier version had no journal. */
function isOf(place: string, { what }: { what: string }): boolean {
  return place.includes("/") || !what.includes("journal");
}

describe("a session's file that lost a field or has an odd one", () => {
  it("lets no stop through while a criterion is red, whichever field it is", async () => {
    const all = damages();
    expect(all.length).toBeGreaterThan(200);
    for (const { what, value } of all) {
      store(value, true);
      const { block } = await stop(event, tools);
      expect({ what, isBlocked: block !== undefined }).toEqual({ what, isBlocked: true });
    }
  }, 240_000);

  it.each(places)(
    "is kept aside and named: the stop is blocked once with the reason, then allowed (%s)",
    async (place) => {
      const some = damages().filter((damage, index) => index % 10 === 0 && !isHarmless(damage) && isOf(place, damage));
      for (const { what, value } of some) {
        store(value, false, place);
        const first = await stop(event, tools);
        expect({ what, block: first.block }).toMatchObject({
          what,
          block: expect.stringContaining("cannot be used") as string,
        });
        const aside = readdirSync(tools.sessionsFolder).find((name) => name.includes(".corrupt-"));
        const file = join(tools.sessionsFolder, aside ?? "", ...place.split("/").slice(1));
        expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(value);
        const second = await stop(event, tools);
        expect({ what, ...second }).toMatchObject({
          what,
          notice: expect.stringContaining("without verification") as string,
        });
        expect(second.block).toBeUndefined();
        expect(await stop(event, tools)).toEqual({});
      }
    },
  );
});
