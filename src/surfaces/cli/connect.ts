import { joinSinks } from "../../shell/sinks/sink.ts";
import type { RunConnection } from "../../shell/drivers/start-run.ts";
import type { Settings } from "../../core/settings/settings.ts";
import { createConsoleSink } from "./console-sink.ts";
import { createJsonSink } from "./json-sink.ts";
import { createVerboseSink } from "./verbose-sink.ts";
import { listenToSignals } from "./signals.ts";

/** How a run shows itself and hears its terminal. */
export type Display = { isJson: boolean; isVerbose: boolean };

/** Connects a run to this terminal: sinks for its news, signals as its requests. */
export function connect(settings: Settings, display: Display): RunConnection {
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  const out = (text: string): void => void process.stdout.write(text);
  const isColoured = process.stderr.isTTY && process.env["NO_COLOR"] === undefined;
  const sinks = [
    display.isJson ? createJsonSink(out) : createConsoleSink({ out, say, isColoured }, settings),
    ...(display.isVerbose ? [createVerboseSink(say)] : []),
  ];
  return {
    sink: joinSinks(sinks),
    onRequest: listenToSignals,
    onCheck: (progress) => sinks.forEach((sink) => sink.check(progress)),
    onStderr: (chunk) => {
      if (display.isVerbose) process.stderr.write(chunk);
      return undefined;
    },
    onTaken: ({ id, isResumed }) => {
      if (display.isJson) out(`${JSON.stringify({ kind: "run", id, isResumed })}\n`);
      else say(`Run ${id} ${isResumed ? "goes on" : "starts"}. Look at it: ralph show ${id}`);
    },
  };
}
