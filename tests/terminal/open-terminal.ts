import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { eventually } from "../run/scratch-project.ts";

/** A program in a real pseudo-terminal, driven as a person would. It is gone after the test. */
export type Terminal = {
  /** What the program printed, also what was scrolled off the screen, without trailing white space. */
  screen(): string;
  /** Waits, with a bound, until the screen ends with this text. */
  endsWith(text: string): Promise<void>;
  /** Waits for the question, then types the answer and Enter. */
  answer(question: string, text: string): Promise<void>;
  /** A key by tmux's name, such as `C-c`. */
  press(key: string): void;
  /** Gives the terminal another width, as a person does with the mouse. */
  resize(columns: number): void;
  /** Waits for the program's end. */
  exitCode(): Promise<number>;
};

export type TerminalOptions = {
  /** A scratch folder for the socket. */
  folder: string;
  cwd: string;
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  columns?: number;
  rows?: number;
};

/** Whether this machine has tmux, which gives the terminal. */
export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

/** Starts a program in a terminal of its own server, away from any other tmux of the user. */
export function openTerminal({ folder, cwd, argv, env, columns = 100, rows = 50 }: TerminalOptions): Terminal {
  const socket = join(folder, "tmux");
  const configuration = join(folder, "tmux.conf");
  writeFileSync(configuration, "set -g status off\n");
  const base = { PATH: process.env["PATH"] ?? "", HOME: folder, TERM: "xterm-256color", LANG: "C.UTF-8" };
  const tmux = (...words: string[]): string =>
    execFileSync("tmux", ["-S", socket, "-f", configuration, ...words], { env: base, encoding: "utf8" });
  const variables = Object.entries({ TERM: "xterm-256color", LANG: "C.UTF-8", ...env }).map((pair) => pair.join("="));
  const size = ["-x", String(columns), "-y", String(rows)];
  tmux("new-session", "-d", ...size, "-c", cwd, "env", "-i", ...variables, "/bin/sh", "-c", staying, "sh", ...argv);
  onTestFinished(() => void tmux("kill-server"));
  const everything = (): string => tmux("capture-pane", "-p", "-S", "-").trimEnd();
  const screen = (): string => everything().replace(endLine, "").trimEnd();
  const endsWith = (text: string): Promise<void> =>
    eventually(() => {
      if (!screen().endsWith(text.trimEnd()))
        throw new Error(`still waiting for ${JSON.stringify(text)}:\n${screen()}`);
    });
  return {
    screen,
    endsWith,
    async answer(question, text) {
      await endsWith(question);
      const before = everything().split("\n").length;
      if (text !== "") tmux("send-keys", "-l", "--", text);
      tmux("send-keys", "Enter");
      // The next question may have the same words: the answer is taken when a line follows it.
      await eventually(() => {
        if (everything().split("\n").length <= before) throw new Error(`not taken:\n${screen()}`);
      });
    },
    press: (key) => void tmux("send-keys", key),
    resize: (width) => void tmux("resize-window", "-x", String(width), "-y", String(rows)),
    exitCode: () =>
      eventually(() => {
        const status = endLine.exec(everything())?.[1];
        if (status === undefined) throw new Error(`still running:\n${everything()}`);
        return Number(status);
      }),
  };
}

/** Says how the program ended and keeps the terminal open: tmux loses the status of some that it has to reap itself. */
const staying = 'trap : INT; "$@"; printf "\\n(ended with %s)\\n" "$?"; read -r _';
const endLine = /\n\(ended with (\d+)\)$/;
