import type { Random } from "./random.ts";

/** What a simulated agent does in one turn. The world remembers whether real work was done. */
export type Act = {
  name: string;
  /** The work the guardrails look for is really done. */
  works?: boolean;
  /** The output is a proper claim. */
  claims?: boolean;
  lines: (random: Random) => string[];
  exitCode?: number;
  /** Never ends by itself. */
  hangs?: boolean;
  /** Lives on after its result until it is ended. */
  lingers?: boolean;
  /** Leaves a process behind. */
  leavesChild?: boolean;
  startFailure?: "not-found" | "resources";
  /** What it does to the world, just before its first words; one that is ended sooner does nothing. */
  does?: () => void;
  /** It ended by itself, and the driver that started it heard so. */
  onEnd?: () => void;
};

/** A message of the agent. */
export const text = (words: string, id = "m1"): string =>
  JSON.stringify({
    type: "assistant",
    message: { id, content: [{ type: "text", text: words }] },
    parent_tool_use_id: null,
  });
/** The first line of every stream. */
export const init = JSON.stringify({ type: "system", subtype: "init", session_id: "s-1", model: "sim" });
/** The last line of a turn. */
export const result = (fields: object = {}): string =>
  JSON.stringify({
    type: "result",
    subtype: "success",
    is_error: false,
    result: "",
    session_id: "s-1",
    total_cost_usd: 0.5,
    usage: { input_tokens: 100, output_tokens: 20 },
    permission_denials: [],
    ...fields,
  });
const failed = (fields: object): string => result({ is_error: true, terminal_reason: "api_error", ...fields });
const tag = "<promise>DONE</promise>";
const toolUse = JSON.stringify({
  type: "assistant",
  message: { id: "m0", content: [{ type: "tool_use", id: "t1", name: "Write", input: { file_path: "a.txt" } }] },
  parent_tool_use_id: null,
});
const denial = JSON.stringify({
  type: "system",
  subtype: "permission_denied",
  tool_name: "Write",
  tool_use_id: "t1",
  message: "no",
});
const error = (kind: string): string =>
  JSON.stringify({
    type: "assistant",
    error: kind,
    is_api_error_message: true,
    message: { id: "e1", model: "<synthetic>", content: [{ type: "text", text: "API error" }] },
    parent_tool_use_id: null,
  });

/** Resets a minute after the simulated world began: sometimes in the past, sometimes a short wait. */
const limitEvent = JSON.stringify({
  type: "rate_limit_event",
  rate_limit_info: { status: "rejected", resetsAt: Date.UTC(2026, 10, 15) / 1000 + 60, rateLimitType: "five_hour" },
});

/** Everything an agent may do, good and bad. */
export const acts: Act[] = [
  {
    name: "works and claims",
    works: true,
    claims: true,
    lines: () => [init, text("Fixed."), text(tag, "m2"), result()],
  },
  { name: "works silently", works: true, lines: () => [init, text("Some progress."), result()] },
  { name: "lies", claims: true, lines: () => [init, text(tag), result()] },
  { name: "mentions the tag", lines: () => [init, text(`I will print: ${tag} later`), result()] },
  { name: "promises something else", lines: () => [init, text("<promise>MAYBE</promise>"), result()] },
  {
    name: "splits its claim over blocks",
    works: true,
    claims: true,
    lines: () => [init, text("<promise>DO"), text("NE</promise>"), result()],
  },
  { name: "is blocked", lines: () => [init, text("<promise>BLOCKED: no network</promise>"), result()] },
  { name: "asks", lines: () => [init, text("<promise>DECIDE: tabs or spaces?</promise>"), result()] },
  { name: "crashes after a claim", claims: true, lines: () => [init, text(tag)], exitCode: 1 },
  {
    name: "ends in error after a claim",
    claims: true,
    lines: () => [init, text(tag), result({ is_error: true, subtype: "error_during_execution", errors: ["x"] })],
    exitCode: 1,
  },
  {
    name: "cannot sign in",
    lines: () => [init, error("authentication_failed"), failed({ api_error_status: 401 })],
    exitCode: 1,
  },
  { name: "hangs", lines: () => [init, text("thinking…")], hangs: true },
  { name: "hangs at once", lines: () => [], hangs: true },
  {
    name: "lingers after its result",
    works: true,
    claims: true,
    lines: () => [init, text(tag), result()],
    lingers: true,
  },
  { name: "leaves a child", works: true, lines: () => [init, text("Started a server."), result()], leavesChild: true },
  {
    name: "floods and claims",
    works: true,
    claims: true,
    lines: (random) => [
      init,
      ...Array.from({ length: 50 + random.below(200) }, () => text("noise ".repeat(20))),
      text(tag, "last"),
      result(),
    ],
  },
  {
    name: "writes garbage around its claim",
    works: true,
    claims: true,
    lines: () => ["{broken", init, "\u0000\u0001", text(tag), '{"type":"unheard-of"}', result()],
  },
  {
    name: "has its edit denied",
    lines: () => [init, toolUse, denial, result({ permission_denials: [{ tool_name: "Write", tool_use_id: "t1" }] })],
  },
  {
    name: "meets a usage limit",
    lines: () => [init, limitEvent, error("rate_limit"), failed({ api_error_status: 429 })],
    exitCode: 1,
  },
  { name: "says nothing", lines: () => [] },
  { name: "spends a lot", works: true, lines: () => [init, text("Expensive."), result({ total_cost_usd: 4 })] },
  { name: "cannot start for want of processes", lines: () => [], startFailure: "resources" },
  { name: "is not installed", lines: () => [], startFailure: "not-found" },
];

/** Acts that make a run get somewhere are more frequent than those that end it. */
const weights = new Map([
  ["works and claims", 3],
  ["works silently", 6],
  ["lies", 6],
  ["cannot sign in", 0.3],
  ["is not installed", 0.2],
  ["is blocked", 0.5],
  ["asks", 0.5],
]);

/** Chooses what the agent does next. */
export function chooseAct(random: Random): Act {
  return chooseWeighted(random, acts, ({ name }) => weights.get(name) ?? 1);
}

/** One of many, some of them more often than others. */
export function chooseWeighted<Item>(random: Random, items: readonly Item[], weightOf: (item: Item) => number): Item {
  const total = items.reduce((sum, item) => sum + weightOf(item), 0);
  let at = random.next() * total;
  for (const item of items) {
    at -= weightOf(item);
    if (at <= 0) return item;
  }
  return random.pick(items);
}
