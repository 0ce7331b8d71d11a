import { describe, expect, it } from "vitest";
import { play, startAt, turn, turnStarts } from "../../../../tests/engine/play.ts";
import { displayWidth } from "../terminal/display-width.ts";
import { chooseMarks } from "../terminal/marks.ts";
import { createStatusBoard, type StatusBoard } from "./status-board.ts";

const marks = chooseMarks("text", {});
const running = play({}, turnStarts).state;
const ended = play({ iterationsMax: 1 }, turn()).state;

function board(): StatusBoard {
  return createStatusBoard({ marks, now: () => startAt + 5000 }, () => {});
}

/** A run of this label is at work, or has ended. */
function show(shown: StatusBoard, label: string | null, state = running): void {
  const observation = { type: "timer-fired" as const, effectId: 0, at: startAt, upMs: 0 };
  shown.open(label).entry({ kind: "step", at: startAt, observation, effects: [] }, state);
}

describe("the status lines of runs side by side", () => {
  it("are one per task, each with its label, within the width", () => {
    const shown = board();
    for (const label of ["auth-001", "a-task-with-a-very-long-id"]) show(shown, label);
    const rows = shown.rows(60);
    expect(rows).toEqual([
      expect.stringMatching(/^\[auth-001\] Iteration 1\/3/),
      expect.stringMatching(/^\[a-task-with-a-very-…\] Iteration 1\/3/),
    ]);
    expect(Math.max(...rows.map(displayWidth))).toBeLessThanOrEqual(60);
  });

  it("have no line for a run that has ended, and the next role of a task replaces it", () => {
    const shown = board();
    show(shown, "a", ended);
    expect(shown.rows(80)).toEqual([]);
    show(shown, "a");
    expect(shown.rows(80)).toHaveLength(1);
  });

  it("have no label where one run is at work at a time", () => {
    const shown = board();
    show(shown, null);
    expect(shown.rows(80)).toEqual([expect.stringMatching(/^Iteration 1\/3/)]);
  });

  it("are at most eight, and say how many more tasks there are", () => {
    const shown = board();
    for (let task = 1; task <= 10; task += 1) show(shown, `t-${task}`);
    expect(shown.rows(80)).toHaveLength(8);
    expect(shown.rows(80).at(-1)).toBe("3 more tasks at work");
  });
});
