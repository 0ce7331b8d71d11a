import { chooseResumable } from "../../../app/resume/resumable.ts";
import type { GivenLimits } from "../../../app/resume/policy-change.ts";
import { resumeHere } from "../../../app/resume/resume-here.ts";
import type { Listener } from "../../../app/requests/listener.ts";
import { exitCodes } from "../../../core/run/outcome.ts";
import { wire } from "../../../shell/wire.ts";
import { askConsent } from "../input/ask-consent.ts";
import type { Input } from "../input/command-spec.ts";
import { importEnded } from "../input/import-ended.ts";
import { amountOption, countOption, durationOption, isOn, type Options, textOption } from "../input/read-input.ts";
import { runName } from "../input/run-name.ts";
import { tellProblem } from "../input/tell.ts";
import { connect } from "../live/connect.ts";
import { connectWork } from "../live/connect-work.ts";
import { displayOptions } from "../live/display-options.ts";
import { sayEnd } from "./work.ts";

/** `ralph resume`: tells a living run to continue, or resumes a dead or ended one here in the foreground. */
export default async function resume(input: Input): Promise<number> {
  const { options } = input;
  const machine = await wire();
  await importEnded(machine);
  const resumable = await chooseResumable({ ...machine, onProblem: tellProblem }, runName(input));
  const { run } = resumable;
  const end = await resumeHere(machine, resumable, {
    answer: textOption(options, "answer"),
    limits: limitOptions(options),
    consent: { isGiven: isOn(options, "acceptEdits"), ask: askConsent },
    listener: listenerOf(options),
  });
  await machine.store.close();
  if (end.kind === "told") {
    process.stderr.write(`Run ${run.id} continues.\n`);
    return 0;
  }
  const { outcome } = end;
  if (run.frozen.work !== undefined) sayEnd({ id: run.id, outcome }, isOn(options, "json"));
  return exitCodes[outcome.name];
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
      const live = connect({ ...run.frozen.settings, ...shown }, display);
      return live.closeAfter(() => drive(live));
    },
    work: (run, drive) => {
      const { settings, work } = run.frozen;
      const live = connect(settings, display);
      return live.closeAfter(() => drive(connectWork(live, { settings, display, jobs: work?.jobs ?? 1 })));
    },
  };
}
