import { describe, expect, it } from "vitest";
import { idProblem, isRunId, readRunId, renderRunId, renderTaskId } from "./run-ids.ts";

const at = Date.UTC(2026, 10, 15, 20, 43, 55, 123);

describe("ids of a supervised run", () => {
  it("hold time, process and sequence", () => {
    expect(renderRunId({ at, pid: 421, seq: 7 })).toBe("20261115-2043551230-421-7");
    expect(renderTaskId(at, "fix-login")).toBe("task-20261115-204355-fix-login");
  });

  it("tell when and by which process they were made", () => {
    expect(readRunId(renderRunId({ at, pid: 421, seq: 7 }))).toEqual({ at, pid: 421 });
    expect(["run_1", "20261115-2043551230-421", "20261115-204355123-421-7"].map(readRunId)).toEqual([null, null, null]);
  });

  it.each(["ab", "Fix", "a b", "-abc", "abc-", "x".repeat(51)])("refuse the slug in row %#", (slug) => {
    expect(renderTaskId(at, slug)).toBeNull();
  });

  it.each(["", ".", "..", "../x", "a/b", "a\\b", "-a", "a-", "A", "a\u0000", "a\n", "x".repeat(300)])(
    "refuse what is no plain folder name in row %#",
    (id) => {
      expect(idProblem(id)).not.toBeNull();
    },
  );

  it.each(["shop", "task-001", "a", "task-20261115-204355-fix-login"])("take %s", (id) => {
    expect(idProblem(id)).toBeNull();
  });

  it("take as run what cannot lead out of its folder", () => {
    expect(["20261115-2043551230-421-7", "run_1"].map(isRunId)).toEqual([true, true]);
    expect(["..", ".hidden", "a/b", ""].map(isRunId)).toEqual([false, false, false, false]);
  });
});
