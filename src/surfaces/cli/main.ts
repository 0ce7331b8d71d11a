import { RalphError } from "../../core/ralph-error.ts";
import { buildProgram } from "./build-program.ts";
import { guardPipes } from "./guard-pipes.ts";
import { codeAfterSignals } from "./signals.ts";
import { version } from "./version.ts";

guardPipes();
process.exitCode = await runProgram(process.argv.slice(2));
// A timer or a socket left open must not keep a finished command alive; output is flushed first.
await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
process.exit(codeAfterSignals(process.exitCode));

async function runProgram(argv: string[]): Promise<number> {
  try {
    return await buildProgram(version)(argv);
  } catch (error) {
    if (!(error instanceof RalphError)) {
      process.stderr.write(
        `ralph: internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
      );
      return 2;
    }
    process.stderr.write(`ralph: ${error.message}\n${error.hint === null ? "" : `${error.hint}\n`}`);
    return 2;
  }
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableLength === 0) resolve();
    else stream.write("", () => resolve());
  });
}
