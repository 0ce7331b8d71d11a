// `ralph --help` as the build wrote it down: loading every command to print the same text takes longer than starting Node.
import { guardPipes } from "./terminal/guard-pipes.ts";
import { upgradeText } from "./tell-upgrade.ts";

/** Set by the build: what the program prints. */
declare const RALPH_HELP: string;

guardPipes();
process.stderr.write(upgradeText(process.argv.slice(2), process.env));
process.stdout.write(RALPH_HELP);
