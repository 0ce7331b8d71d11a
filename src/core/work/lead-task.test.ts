import { describe, expect, it } from "vitest";
import {
  asked,
  ends,
  goOnWork,
  opened,
  phaseOf,
  playWork,
  resumedWith,
  type TaskShape,
  used,
  type WorkShape,
} from "../../../tests/engine/play-work.ts";
import type { OutcomeName } from "../run/outcome.ts";
import type { TaskProgress } from "../tasks/task.ts";
import type { FoundRole } from "./work-observation.ts";
import { standingOf } from "./work-state.ts";

const both = ["coder", "reviewer"] as const;
const shape = (task: Partial<TaskShape> = {}): WorkShape => ({ tasks: [{ id: "one", ...task }], roles: [...both] });
const at = (change: Partial<TaskProgress> = {}): TaskProgress => ({
  role: "coder",
  round: 1,
  reasons: [],
  runId: "one-1",
  note: "",
  ...change,
});
const run = (name: OutcomeName | null, rejected: string | null = null): FoundRole => ({
  runId: "one-1",
  ...used("one", { iteration: 3, usd: 0.5 }),
  end: name === null ? null : { outcome: { name, reason: "" }, rejected, checks: [] },
});

/** What a work run orders first when it is resumed with a task that stands like this. */
function check(task: Partial<TaskShape>, roles: FoundRole[], expected: string[], more = {}): void {
  const resumed = goOnWork(playWork(shape()), resumedWith(shape(task), roles, more));
  expect(resumed.orders.slice(1)).toEqual(expected);
}

describe("a task", () => {
  it("goes through its roles in order, and back to the coder when one rejects", () => {
    const rejected = { name: "waiting" as const, rejected: "no tests" };
    const played = playWork(
      shape(),
      opened("one"),
      ends("one"),
      opened("one", 2),
      ends("one", rejected),
      opened("one", 3),
    );
    expect(played.orders.filter((each) => each.startsWith("new"))).toEqual([
      "new one coder 1",
      "new one reviewer 1",
      "new one coder 2",
    ]);
    expect(played.state.work.tasks[0]?.progress?.reasons).toEqual([{ role: "reviewer", round: 1, text: "no tests" }]);
  });

  it("goes on with the role run that its driver left (CW-2L)", () =>
    check({ status: "running", progress: at() }, [run(null)], ["resume one coder 1"]));

  it("takes the end of a role run that nobody heard of", () =>
    check({ status: "running", progress: at() }, [run("completed")], ["open-place one"]));

  it("does not go on with a role run of another work run", () =>
    check({ status: "running", progress: at() }, [], ["open-place one"]));

  it("begins again when its work tree is gone", () =>
    check({ status: "running", progress: at(), isKept: false }, [run(null)], ["open-place one"]));

  it("that is done before stays done", () =>
    check({ status: "done", progress: at() }, [run("completed")], ["completed"]));

  it("that failed stays so without more iterations", () =>
    check({ status: "failed", progress: at() }, [run("exhausted")], ["exhausted"]));

  it("that failed goes on with more iterations", () =>
    check({ status: "failed", progress: at() }, [run("exhausted")], ["resume one coder 1"], {
      help: { answer: null, more: 2 },
    }));

  it.each([null, "interrupted", "exhausted"] as const)("gives a role that ended as %s N more iterations", (name) => {
    const help = { help: { answer: null, more: 2 } };
    const status = name === "exhausted" ? "failed" : "running";
    const begun = resumedWith(shape({ status, progress: at() }), [run(name)], help);
    const { effects } = goOnWork(playWork(shape()), begun);
    const start = effects.flatMap((effect) => (effect.type === "start-role" ? [effect.start] : []));
    expect(start).toMatchObject([{ kind: "resume", change: { iterationsMax: 5 } }]);
  });

  it("that was edited is not begun with its former version, unless that is on its way (S2-06)", () => {
    check({ isEdited: true }, [], ["completed"]);
    check({ isEdited: true, status: "running", progress: at() }, [run(null)], ["resume one coder 1"]);
  });

  it("that was edited after its driver died is not left as running (S2-06)", () => {
    const edited = shape({ isEdited: true, status: "running" });
    const { state } = goOnWork(playWork(shape()), resumedWith(edited, [], {}));
    const [task] = state.work.tasks;
    expect(task === undefined ? null : standingOf(state, task)).toMatchObject({ status: "ready", progress: null });
  });

  it("that was removed is not begun", () => check({ isRemoved: true }, [], ["completed"]));

  it("ends a role run whose driver died when the work run is cancelled, without an agent", () =>
    check({ status: "running", progress: at() }, [run(null)], ["cancel one coder 1"], { isCancelAsked: true }));

  it("cancels a role run that waits for an answer when the work run is cancelled, without an agent", () =>
    check({ status: "running", progress: at() }, [run("waiting")], ["cancel one coder 1"], { isCancelAsked: true }));

  it("that no role was begun for is given back when the work run is cancelled", () =>
    check({}, [], ["cancelled"], { isCancelAsked: true }));

  it("begins no role in a place that was opened too late", () => {
    const played = playWork(shape(), asked("interrupt"), opened("one"));
    expect(played.orders).toEqual(["open-place one", "interrupted"]);
    expect(phaseOf(played.state, "one")).toMatchObject({ end: { status: "ready", outcome: { name: "interrupted" } } });
  });

  it("gives a role that goes on the rest of the budget, its own use, and the answer of a person", () => {
    const help = { answer: { taskId: null, text: { text: "8080" } }, more: null };
    const resumed = goOnWork(
      playWork(shape()),
      resumedWith(shape({ progress: at() }), [run("waiting")], { help, change: { budgetUsd: 2 } }),
    );
    expect(resumed.effects.at(-1)).toMatchObject({
      start: { kind: "resume", change: { budgetUsd: 2 }, answer: { text: "8080" } },
    });
  });
});
