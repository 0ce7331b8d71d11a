import { expect, it } from "vitest";
import { settingsSchema } from "../../core/settings/settings.ts";
import type { ProcessEnd } from "../ports.ts";
import { askAgent, type AskContext } from "./ask-agent.ts";
import { codexAdapter } from "./codex/codex-adapter.ts";

const key = "sk-test-0123456789";
const end: ProcessEnd = {
  exitCode: 0,
  signal: null,
  timedOut: null,
  isCut: false,
  isForced: false,
  leftoverCount: 0,
  survivors: [],
  durationMs: 1,
};

/** Codex, whose answer is in a file that holds its own key. */
function placeWith(isRedacting: boolean): AskContext {
  const settings = settingsSchema.parse({ agent: { command: "codex" }, redact: { enabled: isRedacting } });
  const process = { identity: { pid: 1, startTime: "" }, ended: Promise.resolve(end), cut: () => undefined };
  return {
    runId: "run",
    frozen: { settings, projectDir: "/project" },
    env: { OPENAI_API_KEY: key },
    adapter: codexAdapter,
    adapters: [codexAdapter],
    command: "codex",
    flags: [],
    agentEnv: {},
    killGraceMs: 0,
    processes: {
      start: () => Promise.resolve({ isStarted: true, process: { ...process, endAfterSilence: () => undefined } }),
    },
    artefacts: {
      read: () => Promise.resolve(`I used ${key}.`),
      put: () => Promise.resolve(),
      localPath: ({ name }) => `/state/${name}`,
    },
    onStderr: () => undefined,
  };
}

it.each([
  [true, "I used [redacted OPENAI_API_KEY]."],
  [false, `I used ${key}.`],
])("an answer in a file comes without the agent's key, unless that is switched off: %s", async (isOn, expected) => {
  const question = {
    purpose: "agent" as const,
    prompt: "What did you use?",
    turnMarker: "m",
    signal: new AbortController().signal,
  };
  expect(await askAgent(placeWith(isOn), question)).toBe(expected);
});
