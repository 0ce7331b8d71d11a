import { RalphError } from "../../core/ralph-error.ts";
import { buildProgram } from "./build-program.ts";
import { cleanMessage } from "../../core/text/clean-text.ts";
import { guardOutput } from "./terminal/guard-output.ts";
import { guardPipes } from "./terminal/guard-pipes.ts";
import { codeAfterSignals } from "./live/signals.ts";
import { upgradeText } from "./tell-upgrade.ts";
import { version } from "../../app/prepare/version.ts";

guardPipes();
guardOutput();
const news = upgradeText(process.argv.slice(2), process.env);
if (news !== "") process.stderr.write(news);
void runToEnd();

async function runToEnd(): Promise<void> {
  process.exitCode = await runProgram(process.argv.slice(2));
  // An open timer or socket must not keep a finished command alive; output is flushed first.
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  process.exit(codeAfterSignals(process.exitCode));
}

async function runProgram(argv: string[]): Promise<number> {
  try {
    return await buildProgram(version)(argv);
  } catch (error) {
    process.stderr.write(errorText(error));
    return 2;
  }
}

/** An error for people. Foreign words in it never begin a line. */
function errorText(error: unknown): string {
  if (!(error instanceof RalphError)) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return `ralph: internal error: ${cleanMessage(text)}\n`;
  }
  const { message, hint } = error;
  return `ralph: ${cleanMessage(message)}\n${hint === null ? "" : `${cleanMessage(hint)}\n`}`;
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableLength === 0) resolve();
    else stream.write("", () => resolve());
  });
}
