import cancel from "../commands/cancel.ts";
import demo from "../commands/demo.ts";
import logs from "../commands/logs.ts";
import resume from "../commands/resume.ts";
import run from "../commands/run.ts";
import supervise from "../commands/supervise.ts";
import work from "../commands/work.ts";
import prdRun from "../prd/run.ts";

/**
 * The commands with drivers, agents and processes behind them, loaded together: the bundler cuts what separately loaded
 * commands share into a dozen files, and each file adds half a millisecond to every start.
 */
export const drivingCommands = { cancel, demo, logs, prdRun, resume, run, supervise, work };
