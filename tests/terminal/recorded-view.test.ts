import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../src/core/agents/agent-event.ts";
import { chooseAdapter } from "../../src/shell/agents/registry.ts";
import { allAgents } from "../../src/shell/wire-agents.ts";
import { startAgentView, endAgentLine, showAgentEvent } from "../../src/surfaces/cli/live/lines/agent-view.ts";
import { displayWidth } from "../../src/surfaces/cli/terminal/display-width.ts";
import { emojiMarks, textMarks } from "../../src/surfaces/cli/terminal/marks.ts";
import { unpainted } from "../../src/surfaces/cli/terminal/paint.ts";
import type { ViewStyle } from "../../src/surfaces/cli/live/lines/view-style.ts";
import { recordedStreams, replay } from "../contract/recorded-streams.ts";

const fixtures = join(import.meta.dirname, "..", "fixtures");
/** One folder for each agent and version; a version is behind the name. */
const agents = readdirSync(join(fixtures, "streams"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const adapterOf = (agent: string) => chooseAdapter(agent.replace(/-\d.*$/, ""), allAgents([]));

function shown(events: readonly AgentEvent[], style: ViewStyle): string {
  let view = startAgentView();
  let printed = "";
  for (const event of events) {
    const [next, text] = showAgentEvent(view, event, style);
    view = next;
    printed += text;
  }
  return printed + endAgentLine(view)[1];
}

const wide: ViewStyle = {
  marks: emojiMarks,
  paint: unpainted,
  textMark: "",
  width: 100,
  outputLinesMax: 3,
  outputCharsMax: 300,
  hasReasoning: false,
};
const narrow: ViewStyle = { ...wide, marks: textMarks, width: 40 };

describe.each(agents)("the recorded streams of %s", (agent) => {
  const adapter = adapterOf(agent);
  const streams = recordedStreams(agent);

  it("look as they did when somebody looked at them last (S1-74, S1-75)", async () => {
    const pages = streams.map((name) => {
      const { events } = replay(adapter, `${agent}/${name}.ndjson`);
      return `=== ${name}\n${shown(events, wide)}`;
    });
    await expect(pages.join("\n")).toMatchFileSnapshot(join(fixtures, "views", `${agent}.txt`));
  });

  it.each(streams)("%s is understood, and each tool that ends has its name (S1-73, S1-74)", (name) => {
    const { facts, events } = replay(adapter, `${agent}/${name}.ndjson`);
    expect(facts.output.unparsedLines).toBe(0);
    const printed = shown(events, narrow);
    expect(printed).not.toMatch(/undefined|\[object|<- tool \(/);
    const todoTools = events.flatMap((event) =>
      event.type === "tool-started" && event.isTodo === true ? [event.toolId] : [],
    );
    const ends = events.filter(
      (event) => event.type === "tool-ended" && (event.isError || event.isDenied || !todoTools.includes(event.toolId)),
    );
    expect(printed.match(/^ *\[(?:OK|ERR|DENIED)\] \w+ <- /gm) ?? []).toHaveLength(ends.length);
  });

  it.each(streams)("%s does not break a narrow terminal: only words may be wider (S1-77)", (name) => {
    const { events } = replay(adapter, `${agent}/${name}.ndjson`);
    const silent = events.filter(({ type }) => !["text", "result", "notice"].includes(type));
    const lines = shown(silent, narrow).split("\n");
    expect(lines.filter((line) => displayWidth(line) > 40)).toEqual([]);
    expect(lines.join("")).not.toMatch(/\p{Cc}/u);
  });
});
