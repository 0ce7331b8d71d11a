import type { AgentEvent } from "../../core/agents/agent-event.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import type { Disk } from "../ports.ts";
import { alsoStream } from "../perform/also-stream.ts";
import type { RunContext } from "../run-context.ts";
import { ensureOutput } from "./records/ensure-output.ts";
import { captureErrors, lastLinesOf } from "./records/last-error-lines.ts";
import type { RunFolder } from "./records/task-folder.ts";

/** Kept of each stream in the run's folder, head and tail, as of a turn's raw stream. */
const keepBytesMax = 64 * 1024 * 1024;

/** Characters of the agent's words kept for `output.md`. */
const wordsCharsMax = 4 * 1024 * 1024;

/** The files a run keeps of its agent, while it works. */
export type TurnFiles = {
  /** A run's context whose output also goes into the files. */
  watch(context: RunContext): RunContext;
  lastErrorLines(): string;
  /** Closes the files and sees to it that there is an `output.md`. Returns what could not be kept. */
  close(): Promise<string[]>;
};

/** Opens the files of a run; they take output from the first byte on. */
export function openTurnFiles(folder: RunFolder, disk: Disk, isPlainText: boolean): TurnFiles {
  const stderrLog = disk.openLog(folder.stderrFile, keepBytesMax);
  const stdoutLog = disk.openLog(folder.stdoutFile, keepBytesMax);
  const errors = captureErrors();
  const words = createWords();
  return {
    watch: (context) => ({
      ...context,
      artefacts: alsoStream(context.artefacts, stdoutLog),
      sink: {
        ...context.sink,
        agentEvent: (event, effectId) => {
          words.add(event);
          context.sink.agentEvent(event, effectId);
        },
      },
      onStderr: (chunk) => {
        errors.add(chunk);
        void stderrLog.write(chunk);
        return context.onStderr(chunk);
      },
    }),
    lastErrorLines: () => lastLinesOf(errors),
    async close() {
      const ends = [await stderrLog.close(), await stdoutLog.close()];
      const problems = ends.flatMap(({ problem }) => (problem === null ? [] : [problem]));
      try {
        await ensureOutput(folder, isPlainText ? null : words.text(), disk);
        return problems;
      } catch (error) {
        return [...problems, thrownText(error)];
      }
    },
  };
}

function createWords(): { add(event: AgentEvent): void; text(): string } {
  let text = "";
  let messageId: string | null = null;
  let result = "";
  return {
    add(event) {
      if (event.type === "result") result = event.text ?? result;
      if (event.type !== "text" || event.isSub || text.length > wordsCharsMax) return;
      text += messageId === null || messageId === event.messageId ? event.text : `\n${event.text}`;
      messageId = event.messageId;
    },
    text: () => (text === "" ? result : text),
  };
}
