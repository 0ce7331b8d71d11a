import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { parseArgs } from "node:util";
import { RalphError } from "../../core/ralph-error.ts";
import { openChannel } from "./channel.ts";
import { defaultFormat, formats } from "./formats/formats.ts";
import { writeLastMessage } from "./formats/text.ts";
import { closest } from "../../core/text/closest.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import { openOutlet } from "./outlet.ts";
import { playTurn } from "./play-turn.ts";
import { parseScript } from "./script.ts";
import type { FormatWriter, SimSession } from "./formats/sim-event.ts";
import type { SimScript } from "./sim-step.ts";
import { openStage } from "./stage.ts";
import { chooseAnswer, chooseTurn, defaultStateFile } from "./turn-choice.ts";

/** What the scripted agent has of its process. */
export type SimIo = {
  stdin: Readable;
  stdout: Writable;
  stderr: Writable;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
};

/** Plays one turn of a script as an agent program would. Returns the exit code; 2 means that nothing was done. */
export async function runSim(argv: readonly string[], io: SimIo): Promise<number> {
  try {
    const options = readOptions(argv);
    if (options.isHelp) {
      io.stdout.write(help);
      return 0;
    }
    return await play(options, io);
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    io.stderr.write(`ralph sim: ${error.message}\n${error.hint === null ? "" : `${error.hint}\n`}`);
    return 2;
  }
}

const help = `Usage: ralph sim --script FILE [options] [PROMPT]

The embedded scripted agent: plays the next turn of a YAML script and speaks an agent's stream format.
The prompt is the last argument, or standard input.

  --script FILE    the script (see docs/sim.md)
  --format NAME    ${Object.keys(formats).join(", ")} (default: ${defaultFormat})
  --text           print only the last message; takes no turn of the list
  --state FILE     where the number of played turns is kept
  --model NAME     the model to report
  --resume ID      the session to continue

Example: ralph sim --script sim.yaml "Fix the test"
`;

type SimOptions = {
  isHelp: boolean;
  script: string | null;
  writer: FormatWriter;
  isText: boolean;
  state: string | null;
  model: string;
  sessionId: string;
  prompt: string | null;
};

function readOptions(argv: readonly string[]): SimOptions {
  const { values, positionals } = parseArguments(argv);
  const format = values.format ?? defaultFormat;
  const writer = Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (writer === undefined) {
    const nearest = closest(format, Object.keys(formats));
    const hint = nearest === null ? `Formats are: ${Object.keys(formats).join(", ")}.` : `Did you mean "${nearest}"?`;
    throw new RalphError("sim", `there is no format "${format}"`, hint);
  }
  return {
    isHelp: values.help === true,
    script: values.script ?? null,
    writer: values.text === true ? writeLastMessage : writer,
    isText: values.text === true,
    state: values.state ?? null,
    model: values.model ?? "sim",
    sessionId: values.resume ?? randomUUID(),
    prompt: positionals.length === 0 ? null : positionals.join(" "),
  };
}

function parseArguments(argv: readonly string[]) {
  try {
    const text = { type: "string" } as const;
    const flag = { type: "boolean" } as const;
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        script: text,
        format: text,
        state: text,
        model: text,
        resume: text,
        text: flag,
        help: { ...flag, short: "h" },
      },
    });
  } catch (error) {
    const message = thrownText(error);
    throw new RalphError("sim", message, "See ralph sim --help.", error);
  }
}

async function play(options: SimOptions, io: SimIo): Promise<number> {
  if (options.script === null)
    throw new RalphError("sim", "there is no script", "Name one with --script FILE; docs/sim.md has an example.");
  const scriptFile = resolve(io.cwd, options.script);
  const script = readScript(scriptFile, options.script);
  const prompt = options.prompt ?? (await readPrompt(io.stdin));
  const stateFile = options.state === null ? defaultStateFile(scriptFile, io.env) : resolve(io.cwd, options.state);
  const turn = options.isText ? chooseAnswer(script, prompt) : chooseTurn(script, prompt, stateFile);
  const session: SimSession = { sessionId: options.sessionId, model: options.model, cwd: io.cwd, prompt };
  const stdout = openOutlet(io.stdout);
  const stage = openStage(openChannel(session, options.writer, stdout));
  return playTurn(turn, { stage, workplace: { cwd: io.cwd, env: io.env }, stdout, stderr: io.stderr });
}

function readScript(path: string, shownAs: string): SimScript {
  try {
    return parseScript(readFileSync(path, "utf8"), shownAs);
  } catch (error) {
    if (error instanceof RalphError) throw error;
    const reason = thrownText(error);
    throw new RalphError("sim", `cannot read the script ${shownAs}: ${reason}`, "Name one with --script FILE.", error);
  }
}

// Ten times what real agents take on standard input.
const promptBytesMax = 100 * 1024 ** 2;

async function readPrompt(stdin: Readable): Promise<string> {
  if ("isTTY" in stdin && stdin.isTTY === true) return "";
  const chunks: Buffer[] = [];
  let bytes = 0;
  const parts: AsyncIterable<Buffer> = stdin;
  for await (const part of parts) {
    bytes += part.length;
    if (bytes > promptBytesMax)
      throw new RalphError("sim", `the prompt is longer than ${promptBytesMax} bytes`, "Give a shorter one.");
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString("utf8");
}
