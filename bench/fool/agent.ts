import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { readCase } from "./read-case.ts";
import { takeSteps } from "./take-steps.ts";

/**
 * The scripted agent: `agent.ts CASE COUNTER CLAIM [PROMPT]`, in the project. It reads its prompt to the end, does what the case says
 * for this turn, and claims to be done in the case's last turn and in every later one.
 */
const [casePath = "", counterPath = "", claim = ""] = process.argv.slice(2);
if (!process.stdin.isTTY) for await (const chunk of process.stdin) void chunk;
const { turns } = readCase(casePath, readFileSync(casePath, "utf8"));
const turn = existsSync(counterPath) ? Number(readFileSync(counterPath, "utf8")) : 0;
writeFileSync(counterPath, String(turn + 1));
takeSteps(process.cwd(), turns[turn] ?? []);
process.stdout.write(turn + 1 < turns.length ? "I have begun.\n" : `The work is done and all tests pass.\n${claim}\n`);
