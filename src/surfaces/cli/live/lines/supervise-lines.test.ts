import { expect, it } from "vitest";
import { ask, goOn, play, timerFires, turn, turnEnds } from "../../../../../tests/engine/play.ts";
import type { TurnReport } from "../../../../core/agents/turn-report.ts";
import type { Policy } from "../../../../core/run/policy.ts";
import { decide } from "../../../../core/engine/decide.ts";
import { superviseLines } from "./supervise-lines.ts";

const policy: Partial<Policy> = {
  kind: "supervise",
  claimBy: "done-file",
  iterationsMax: 2,
  restartDelayMs: 1000,
  retryDelayMs: 0,
  failuresMax: null,
  turnWallMs: 300_000,
};
const absent = { isDone: false, waiting: null };

/** What is said when a turn of a supervised run ends so. */
function check(report: Partial<TurnReport>, expected: string[], before = play(policy)): void {
  const started = goOn(before, {
    news: (effectId) => [{ type: "turn-started", effectId, pid: 1, startTime: "1" }],
    passMs: 0,
  });
  const effectId = started.state.pending?.id ?? 0;
  const [move] = turnEnds({ exitCode: 1, result: "none", supervised: absent, ...report }).news(effectId);
  if (move === undefined) throw new Error("a turn ends with news");
  const observation = { ...move, at: 0, upMs: 0 };
  const [state, effects] = decide(started.state, observation);
  expect(superviseLines({ observation, effects }, state).map(({ text }) => text)).toEqual(expected);
}

it("says why an agent failed and that it is restarted (S3-19)", () =>
  check({ exitCode: 1 }, ["Agent failed with exit code 1, restarting (attempt 2/2)"]));

it("does not speak of a restart when DONE is there (S3-09, S3-19)", () =>
  check({ exitCode: 1, supervised: { isDone: true, waiting: null } }, ["Agent failed with exit code 1"]));

it("does not speak of a restart after the last run (S3-12, S3-19)", () =>
  check({ exitCode: 1 }, ["Agent failed with exit code 1"], play(policy, turn({ supervised: absent }), timerFires)));

it("names a timeout and what it leads to (S3-26)", () =>
  check({ exitCode: null, timedOut: "wall" }, [
    "Agent timeout after 5m0s, killing process group",
    "Process group killed, treating as failure",
  ]));

it("names the time of the whole run where a turn has no limit of its own (S3-26)", () =>
  check(
    { exitCode: null, timedOut: "wall" },
    ["Agent timeout after 2.0s, killing process group", "Process group killed, treating as failure"],
    play({ ...policy, turnWallMs: null, budgetMs: 2000 }),
  ));

it("says that the agent asked to wait (S3-28)", () =>
  check({ exitCode: 42, supervised: { isDone: false, waiting: "exit code 42" } }, [
    "Wait-without-restart signal detected",
  ]));

it("says nothing of a turn that was cut (S3-19)", () => check({ isCut: true }, [], goOn(play(policy), ask("pause"))));
