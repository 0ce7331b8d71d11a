import { expect, it } from "vitest";
import { ada, createRun, everyoneLives, sampleRun, start } from "../../../tests/contract/store-samples.ts";
import { asOwn } from "../../shell/lib/as-own.ts";
import type { Machine } from "../../shell/machine.ts";
import { createMemoryStore } from "../../shell/stores/memory/memory-store.ts";
import { type LogItem, readLog } from "./read-log.ts";

const note = (seq: number, at: number) => ({
  runId: "a",
  seq,
  kind: "note",
  at: start + at,
  level: "info",
  text: `${seq}`,
});
const event = (seq: number, at: number) => ({
  runId: "a",
  effectId: 1,
  seq,
  at: start + at,
  event: { type: "notice" },
});

/** Two looks at a run, the second one after its driver has gone, and what is new at each. */
async function read(looks: [Look, Look], isFollowing: boolean): Promise<string[]> {
  const taken = await createRun(createMemoryStore({ now: () => start }), sampleRun("a"), ada, everyoneLives);
  if (!taken.isTaken) throw new Error("not taken");
  let look = -1;
  const machine = asOwn<Machine>({
    host: ada.host,
    clock: { now: () => start + 2000 },
    isOwnerAlive: () => Promise.resolve(look === 0),
    store: {
      find: () => Promise.resolve((look += 1) < 2 ? [taken.record] : []),
      readJournal: () => Promise.resolve(looks[look]?.journal ?? []),
      readAgentEvents: () => Promise.resolve(looks[look]?.events ?? []),
    },
  });
  const items: LogItem[] = [];
  for await (const item of readLog(machine, taken.record, isFollowing)) items.push(item);
  return items.map((item) => ("event" in item ? `event ${item.seq}` : `entry ${item.seq}`));
}

type Look = { journal: object[]; events: object[] };
const nothing: Look = { journal: [], events: [] };

it("a followed run is read in the order of time, although agent events are stored later (S1-42)", async () => {
  const first = { journal: [note(1, 100), note(2, 900)], events: [] };
  const second = { journal: [note(3, 1000)], events: [event(1, 500), event(2, 900)] };
  expect(await read([first, second], true)).toEqual(["entry 1", "event 1", "event 2", "entry 2", "entry 3"]);
});

it("a run that is not followed is read at once (S1-42)", async () => {
  const look = { journal: [note(1, 1900)], events: [event(1, 1800)] };
  expect(await read([look, nothing], false)).toEqual(["event 1", "entry 1"]);
});
