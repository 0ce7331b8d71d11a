import { describe, expect, it } from "vitest";
import { sampleRun } from "../../../../tests/contract/store-samples.ts";
import { checks, done, play, startAt, turn } from "../../../../tests/engine/play.ts";
import { summarise } from "../../../app/query/summary/run-summary.ts";
import { emptyView, foldEntry } from "../../../core/journal/run-view.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { formatRun } from "./format-run.ts";
import { renderRun } from "./render-run.ts";

describe("formatRun", () => {
  const { state } = play({ guardrails: 1 }, turn(), checks(1), done, checks(0));
  const run: RunRecord = {
    ...sampleRun("20261115-204355-k7q2"),
    state,
    createdAt: startAt,
    epoch: 1,
    owner: null,
    expiresAt: null,
    updatedAt: startAt,
    endedAt: startAt,
    outcome: state.outcome,
  };
  const entries = [{ kind: "note" as const, at: startAt, level: "info" as const, text: "a remark" }];

  it("gives the text of ralph show, from a record and the fold of its journal", () => {
    const view = entries.reduce(foldEntry, emptyView);
    const whole = { run, view, folder: "/state", summary: summarise(run, false) };
    expect(formatRun({ run, view, folder: "/state" })).toBe(renderRun(whole, Date.now()));
    expect(formatRun({ run, view })).toContain("note: a remark");
    expect(formatRun({ run, view })).toContain("  completed: ");
  });

  it("takes a run without an outcome for one that is driven, unless told otherwise", () => {
    const living = { ...run, outcome: null, endedAt: null };
    expect(formatRun({ run: living, view: emptyView })).not.toContain("interrupted");
    expect(formatRun({ run: living, view: emptyView, isDriven: false })).toContain("died: The driver died");
  });
});
