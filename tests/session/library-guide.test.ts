import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import * as library from "../../src/index.ts";
import { openHost } from "./fake-host.ts";

const guide = readFileSync(join(import.meta.dirname, "../../docs/guide/library.md"), "utf8");

type Example = (
  createRalphLoopHook: typeof library.createRalphLoopHook,
  sessions: object,
  screen: object,
) => Promise<library.RalphLoopHook>;

it("runs the guide's example of a host as it is written (S0-06, S0-43, S0-46)", async () => {
  const host = openHost();
  const example = /```ts\n(import { createRalphLoopHook[^]*?)```/.exec(guide)?.[1] ?? "";
  const body = example.replace(/^import .*\n/m, "");
  const sessions = {
    messages: async (sessionId: string) => host.messages.get(sessionId) ?? [],
    prompt: async (sessionId: string, prompt: string) => host.asks(prompt, sessionId),
  };
  const shown: string[] = [];
  const screen = { show: ({ title }: library.Toast) => shown.push(title) };
  const createRalphLoopHook: typeof library.createRalphLoopHook = (options) =>
    library.createRalphLoopHook({
      ...options,
      workdir: host.directory,
      clock: host.clock,
      config: { stateDir: host.directory },
      log: () => {},
    });
  const file = join(host.directory, "example.mjs");
  writeFileSync(file, `export default async (createRalphLoopHook, sessions, screen) => {\n${body}\nreturn hook; };\n`);
  const { default: run }: { default: Example } = await import(/* @vite-ignore */ pathToFileURL(file).href);
  const hook = await run(createRalphLoopHook, sessions, screen);
  await host.clock.pass(500);
  expect(hook.getState("session-1")).toMatchObject({ iteration: 2, maxIterations: 25, completionPromise: "ALL_FIXED" });
  host.says("<promise>ALL_FIXED</promise>", "session-1");
  await hook.handler({ event: "session.idle", sessionId: "session-1" });
  await host.clock.calm();
  expect([hook.isLoopActive("session-1"), shown]).toEqual([
    false,
    ["Ralph Loop Started", "Ralph Loop", "Ralph Loop Complete!"],
  ]);
  hook.dispose();
  host.close();
});

it("exports every function the guide names (S0-06)", () => {
  const exported = Object.entries({ ...library }).flatMap(([name, value]) =>
    typeof value === "function" ? [name] : [],
  );
  const named = [
    "createRalphLoopHook",
    "readState",
    "writeState",
    "clearState",
    "incrementIteration",
    "detectCompletionPromise",
    "detectInMessages",
    "runLoopCommand",
    "cancelLoopCommand",
    "parseLoopCommand",
  ];
  expect(named.filter((name) => !exported.includes(name))).toEqual([]);
  const constants = [library.DEFAULT_CONFIG.defaultMaxIterations, library.HOOK_NAME];
  expect(constants).toEqual([100, "ralph-loop"]);
});
