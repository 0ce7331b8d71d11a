import { createInterface } from "node:readline";
import { cleanMessage } from "../../../core/text/clean-text.ts";
import { exactStream } from "../terminal/guard-output.ts";

/** Questions and answers on a terminal. */
export type Dialogue = {
  /** The answer without white space around it; Tab completes from `offers`. Rejects with `DialogueEnded`. */
  ask(prompt: string, offers?: readonly string[]): Promise<string>;
  say(line: string): void;
  close(): void;
};

/** Ctrl-C, a signal or the end of input instead of an answer. */
export class DialogueEnded extends Error {
  override readonly name = "DialogueEnded";
}

/** Opens a dialogue. Lines that come before their question are kept for it. */
export function openDialogue(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Dialogue {
  const lines: string[] = [];
  let waiting: { resolve: (line: string) => void; reject: (error: Error) => void } | null = null;
  let offered: readonly string[] = [];
  let isEnded = false;
  const completer = (line: string): [string[], string] => [offered.filter((offer) => offer.startsWith(line)), line];
  const reader = createInterface({ input, output: exactStream(output), completer, historySize: 0 });
  const end = (): void => {
    isEnded = true;
    waiting?.reject(new DialogueEnded("the dialogue was ended"));
    waiting = null;
  };
  reader.on("line", (line) => {
    if (waiting === null) return void lines.push(line);
    waiting.resolve(line);
    waiting = null;
  });
  // Answers before the end of input still count; an abort discards them.
  const abort = (): void => {
    lines.length = 0;
    end();
  };
  // A raw terminal delivers Ctrl-C as a key, anything else as a signal.
  reader.on("SIGINT", abort).on("close", end);
  for (const signal of endingSignals) process.on(signal, abort);
  return {
    async ask(prompt, offers = []) {
      offered = offers;
      reader.setPrompt(cleanMessage(prompt));
      if (!isEnded) reader.prompt();
      const early = lines.shift();
      if (early !== undefined) return early.trim();
      if (isEnded) throw new DialogueEnded("the dialogue was ended");
      const line = await new Promise<string>((resolve, reject) => (waiting = { resolve, reject }));
      return line.trim();
    },
    say: (line) => void output.write(`${cleanMessage(line)}\n`),
    close() {
      for (const signal of endingSignals) process.off(signal, abort);
      reader.close();
    },
  };
}

const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
