import { chooseResumable } from "../../../app/resume/resumable.ts";
import type { GivenLimits } from "../../../app/resume/policy-change.ts";
import { resumeHere } from "../../../app/resume/resume-here.ts";
import { safetyLine } from "../../../app/start/safety-line.ts";
import type { Listener } from "../../../app/requests/listener.ts";
import { exitCodes, type Outcome } from "../../../core/run/outcome.ts";
import type { Machine } from "../../../shell/machine.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { askConsent } from "../input/ask-consent.ts";
import type { Input } from "../input/command-spec.ts";
import {
  amountOption,
  countOption,
  durationOption,
  isOn,
  listOption,
  type Options,
  textOption,
} from "../input/read-input.ts";
import { runName } from "../input/run-name.ts";
import { tellProblem } from "../input/tell.ts";
import { connect } from "../live/connect.ts";
import { connectWork } from "../live/connect-work.ts";
import { displayOptions } from "../live/display-options.ts";
import { stampedTalk } from "../live/stamped-talk.ts";
import { tellNext } from "../live/tell-next.ts";
import { useMachine } from "../live/use-machine.ts";
import { sayEnd } from "./work.ts";

/** `ralph resume`: tells a living run to continue, or resumes a dead or ended one here in the foreground. */
export default function resume(input: Input): Promise<number> {
  const { options } = input;
  return useMachine({}, async (machine) => {
    const resumable = await chooseResumable({ ...machine, onProblem: tellProblem }, runName(input));
    const { run } = resumable;
    const end = await resumeHere(machine, resumable, {
      answer: textOption(options, "answer"),
      limits: limitOptions(options),
      acceptedTests: listOption(options, "acceptTests") ?? [],
      consent: { isGiven: isOn(options, "acceptEdits"), ask: askConsent },
      listener: listenerOf(options),
    });
    if (end.kind === "driven") await sayEnding(machine, run, end.outcome, isOn(options, "json"));
    else process.stderr.write(`Run ${run.id} continues.\n`);
    return end.kind === "driven" ? exitCodes[end.outcome.name] : 0;
  });
}

/** A run has told its outcome itself; a work run has not. */
async function sayEnding(machine: Machine, run: RunRecord, outcome: Outcome, isJson: boolean): Promise<void> {
  if (run.frozen.work !== undefined) sayEnd({ id: run.id, outcome }, isJson);
  if (!isJson) await tellNext(machine, run.id);
}

/** `-m N` gives N more iterations; budgets given here replace the old ones. */
function limitOptions(options: Options): GivenLimits {
  return {
    more: countOption(options, "maximumIterations", "--maximum-iterations"),
    usd: amountOption(options, "maxCost", "--max-cost"),
    tokens: countOption(options, "maxTokens", "--max-tokens"),
    timeMs: durationOption(options, "maxTime", "--max-time"),
  };
}

function listenerOf(options: Options): Listener {
  const display = displayOptions(options);
  const stream = options["streamAgentOutput"];
  return {
    run: (run, drive) => {
      const shown = typeof stream === "boolean" ? { streamAgentOutput: stream } : {};
      const isDated = run.frozen.supervised !== undefined;
      stampedTalk({ ...display, isDated }).introduce(safetyLine(run.frozen));
      const live = connect({ ...run.frozen.settings, ...shown }, { ...display, isDated });
      return live.closeAfter(() => drive(live));
    },
    work: (run, drive) => {
      stampedTalk(display).introduce(safetyLine(run.frozen));
      const { settings, work } = run.frozen;
      const live = connect(settings, display);
      return live.closeAfter(() => drive(connectWork(live, { settings, display, jobs: work?.jobs ?? 1 })));
    },
  };
}
