import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { claudeProgram, openClaudeWorld } from "./claude-session.ts";
import type { Turn } from "./model-dialect.ts";
import type { AskedQuestion } from "./model-server.ts";
import { type RealAgent, realAgents } from "./real-agent.ts";
import { writeFiles } from "./scripted-project.ts";
import { opencodeProgram, type OpencodeWorld, openOpencodeWorld } from "./serve-opencode.ts";

/** Red until the agent is sent back and repairs it; green from the start. */
type Colour = "red" | "green";

/** What stands between the agent and its end; a source that is not named is not there. */
type Sources = { guardrail?: Colour; criterion?: Colour; promise?: Colour; change?: Colour };

type Expected = {
  /** What the agent reads when it is sent back; null: it is not. */
  refusal: string | null;
  /** How the last line that the person reads ends; null: there is none. */
  ending: string | null;
};

const completedAfter = (count: number): string => `Ralph Loop Complete! Task completed after ${count} iteration(s)`;
const believedAfter = (count: number): string => `${completedAfter(count)}, unverified: met by the claim alone`;
const verified = "Verified by ralph/criteria.yaml.";

type Row = [title: string, sources: Sources, expected: Expected];

const loopRows: Row[] = [
  [
    "a red guardrail refuses the claim",
    { guardrail: "red" },
    { refusal: "guardrail-ok is missing", ending: completedAfter(2) },
  ],
  ["a green guardrail lets the claim through", { guardrail: "green" }, { refusal: null, ending: completedAfter(1) }],
  [
    "a red criterion of the project refuses the claim",
    { criterion: "red" },
    { refusal: "criterion-ok is missing", ending: completedAfter(2) },
  ],
  [
    "a green criterion of the project lets the claim through",
    { criterion: "green" },
    { refusal: null, ending: completedAfter(1) },
  ],
  [
    "an end without the promise is refused",
    { promise: "red" },
    { refusal: "FULLY complete, output", ending: believedAfter(2) },
  ],
  [
    "the promise alone is let through, and called unverified",
    { promise: "green" },
    { refusal: null, ending: believedAfter(1) },
  ],
  [
    "the promise alone is refused as long as nothing has changed",
    { promise: "green", change: "red" },
    { refusal: "nothing has changed since the run began", ending: believedAfter(2) },
  ],
];

const stopRows: Row[] = [
  [
    "a red guardrail refuses where the project has criteria",
    { guardrail: "red", criterion: "green" },
    { refusal: "guardrail-ok is missing", ending: verified },
  ],
  [
    "a red criterion of the project refuses",
    { guardrail: "green", criterion: "red" },
    { refusal: "- the criterion holds: ", ending: verified },
  ],
  ["green ones let through", { guardrail: "green", criterion: "green" }, { refusal: null, ending: verified }],
  [
    "guardrails alone hold nobody: the criteria file is the switch",
    { guardrail: "red" },
    { refusal: null, ending: null },
  ],
];

/** The files of a row. Each check looks for a file of its own, and prints a line when it is not there. */
function filesOf({ guardrail, criterion }: Sources): Record<string, string> {
  const command = (name: string): string => `test -f ${name}-ok || { echo ${name}-ok is missing; exit 1; }`;
  const coder = {
    promise: "NEVER_SAID",
    description: "the criterion holds",
    verification_method: "external",
    verification_config: { command: command("criterion") },
  };
  const criteria = { outcome: "It works.", acceptance_criteria: ["it works"], coder };
  const guardrails = guardrail === undefined ? [] : [{ command: command("guardrail"), failAction: "APPEND" }];
  return {
    ".ralph/settings.json": JSON.stringify({ guardrails }),
    ...(criterion === undefined ? {} : { "ralph/criteria.yaml": JSON.stringify(criteria) }),
    ...(guardrail === "green" ? { "guardrail-ok": "" } : {}),
    ...(criterion === "green" ? { "criterion-ok": "" } : {}),
  };
}

/** One session from the person's prompt to its end, as person and model saw it. */
type Seen = { told: readonly string[]; sentBack: readonly string[]; asked: readonly AskedQuestion[] };
type Play = (order: { prompt: string; sources: Sources; script: Turn[]; ending: string | null }) => Promise<Seen>;

const testTimeoutMs = 180_000;

function describeRows(agent: RealAgent, play: Play): void {
  const says = (text: string): Turn => ({ kind: "answer", text });
  const runs = (command: string): Turn => ({ kind: "answer", calls: [agent.shell(command)] });
  const [work, repair] = [runs("touch worked"), runs("touch guardrail-ok criterion-ok")];
  const end = says("All is done.");
  const claim = says("All is done.\n\n<promise>DONE</promise>");
  const surfaces: [name: string, prompt: string, lastWords: Turn, rows: Row[]][] = [
    ["in a loop", '/ralph "Do the work" --max-iterations=9', claim, loopRows],
    ["at a stop without a loop", "Do the work", end, stopRows],
  ];

  describe.each(surfaces)("%s", (_name, prompt, lastWords, rows) => {
    it.each(rows)("%s (S4-95)", { timeout: testTimeoutMs }, async (_title, sources, { refusal, ending }) => {
      const firstWords = sources.promise === "red" ? end : lastWords;
      const turn = sources.change === "red" ? [firstWords] : [work, firstWords];
      const script = refusal === null ? turn : [...turn, repair, lastWords];
      const { told, sentBack, asked } = await play({ prompt, sources, script, ending });
      const isRefusal = (text: string): boolean => refusal !== null && text.includes(refusal);
      expect(sentBack.map((text) => (isRefusal(text) ? refusal : text))).toEqual(refusal === null ? [] : [refusal]);
      const isTold = asked.map(({ userTexts }) => isRefusal(userTexts.join("\n")));
      expect(isTold).toEqual(script.map((_, index) => index >= turn.length));
      const last = told.slice(-1).map((text) => (ending !== null && text.endsWith(ending) ? ending : text));
      expect(last).toEqual(ending === null ? [] : [ending]);
    });
  });
}

describe.skipIf(claudeProgram === undefined)("done in the real claude", () => {
  describeRows(realAgents.claude, async ({ prompt, sources, script }) => {
    const world = openClaudeWorld();
    onTestFinished(() => world.close());
    writeFiles(world.scratch.project, filesOf(sources));
    return world.session(prompt, { script });
  });
});

// One server for all rows, for it takes seconds to start; settings and criteria are read for each session.
describe.skipIf(opencodeProgram === undefined)("done in the real opencode", () => {
  const script: Turn[] = [];
  let world: OpencodeWorld;
  beforeAll(async () => {
    world = await openOpencodeWorld(script);
  }, testTimeoutMs);
  afterAll(() => world.close());

  describeRows(realAgents.opencode, async (order) => {
    const { host, model, scratch } = world;
    for (const path of ["worked", "guardrail-ok", "criterion-ok", "ralph"])
      rmSync(join(scratch.project, path), { recursive: true, force: true });
    writeFiles(scratch.project, filesOf(order.sources));
    const asked = (): AskedQuestion[] => model.asked.filter(({ turn }) => turn !== null);
    const [askedBefore, toldBefore] = [asked().length, host.toasts.length];
    script.splice(askedBefore, script.length, ...order.script, { kind: "answer", text: "Good bye." });
    const session = await host.open();
    const [, line] = /^\/ralph (.*)/.exec(order.prompt) ?? [];
    await (line === undefined ? host.ask(session, order.prompt) : host.command(session, "ralph", line));
    const told = (): string[] => host.toasts.slice(toldBefore);
    const { ending } = order;
    // Where nobody is told anything, a person's next word is answered by the next line of the script.
    if (ending === null) await host.ask(session, farewell);
    else await vi.waitUntil(() => told().at(-1)?.endsWith(ending) === true, { timeout: 60_000, interval: 50 });
    const prompts = (await host.texts(session)).filter((text) => text.startsWith("user: "));
    const sentBack = prompts.slice(1).filter((text) => text !== `user: ${farewell}`);
    return { told: told(), sentBack, asked: asked().slice(askedBefore, ending === null ? -1 : undefined) };
  });
});

const farewell = "Thank you.";
