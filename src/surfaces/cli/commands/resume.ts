import { chooseResumable } from "../../../app/resume/resumable.ts";
import type { GivenLimits } from "../../../app/resume/policy-change.ts";
import { resumeHere } from "../../../app/resume/resume-here.ts";
import { safetyLine } from "../../../app/start/safety-line.ts";
import type { Listener } from "../../../app/requests/listener.ts";
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
import { connectWork } from "../live/connect-work.ts";
import { displayOptions } from "../live/display-options.ts";
import { onTerminal, tellEnd } from "../live/drive-here.ts";
import { stampedTalk } from "../live/stamped-talk.ts";
import { useMachine } from "../live/use-machine.ts";

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
    if (end.kind === "driven") {
      const driven = { id: run.id, outcome: end.outcome, isWork: run.frozen.work !== undefined };
      return tellEnd(machine, driven, { isJson: isOn(options, "json") });
    }
    process.stderr.write(`Run ${run.id} continues.\n`);
    return 0;
  });
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
      return onTerminal({ settings: { ...run.frozen.settings, ...shown }, display: { ...display, isDated } }, drive);
    },
    work: (run, drive) => {
      stampedTalk(display).introduce(safetyLine(run.frozen));
      const { settings, work } = run.frozen;
      const place = { settings, display, jobs: work?.jobs ?? 1 };
      return onTerminal(place, (live) => drive(connectWork(live, place)));
    },
  };
}
