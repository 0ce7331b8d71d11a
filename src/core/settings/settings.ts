import { display } from "./display-settings.ts";
import { count, duration } from "./duration-setting.ts";
import * as z from "./rule.ts";
import { seal } from "./seal-settings.ts";
import { defaultMethods, work } from "./work-settings.ts";

/** How a failed guardrail enters the next prompt: after it, before it, or instead of it (S1-14). */
export const failActions = ["APPEND", "PREPEND", "REPLACE"] as const;

const guardrail = z.strictObject({
  command: z
    .string()
    .trim()
    .min(1)
    .describe("Run by the system shell after every turn; a non-zero exit code is a failure."),
  failAction: z
    .string()
    .transform((value) => value.trim().toUpperCase())
    .pipe(z.enum(failActions))
    // The program reads any case; editors propose the canonical one.
    .meta({ enum: [...failActions], description: "How the failure enters the next prompt." }),
  hint: z.string().exactOptional().describe("Guidance for the agent on failure; sent as it is."),
});

const agent = z.strictObject({
  command: z
    .string()
    .trim()
    .min(1)
    .nullable()
    .default(null)
    .describe("The agent program: claude, codex, amp, opencode, sim, or any command."),
  flags: z.array(z.string()).default([]).describe("Added to every invocation."),
  model: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe("The model to ask for; the agent's own default when null."),
  timeout: duration(null, "Maximum duration of a turn."),
  idleTimeout: duration("30m", "Maximum time without output in a turn."),
  resultGrace: duration("10s", "How long a process may stay silent after its result before ralph ends it.", 0),
  retryDelay: duration("1s", "Wait after a failed turn; doubles with each failure in a row, at most 60s.", 0),
  context: z
    .enum(["continue", "reset"])
    .default("reset")
    .describe("Whether a turn continues the agent's session or starts afresh."),
  keepEnv: z.array(z.string()).default([]).describe("Environment variables to keep that ralph would otherwise remove."),
  promptVia: z
    .enum(["stdin", "argument"])
    .nullable()
    .default(null)
    .describe("How the prompt reaches the program; the adapter decides when null."),
  guard: z
    .boolean()
    .default(true)
    .describe("Let the command guard judge what the agent runs, where the agent has hooks for that."),
  namespace: z
    .boolean()
    .default(true)
    .describe("Run each turn in a PID namespace, where bwrap works. Inside, programs cannot gain rights: sudo fails."),
});

const price = z.strictObject({
  model: z.string().trim().min(1).describe("The model as the agent names it; a provider before it may be left out."),
  input: z.number().min(0).describe("A million input tokens."),
  output: z.number().min(0).describe("A million output tokens."),
  cacheRead: z.number().min(0).exactOptional().describe("A million cached input tokens; as input when absent."),
  cacheWrite: z
    .number()
    .min(0)
    .exactOptional()
    .describe("A million tokens written to the cache; as input when absent."),
});

const completion = z.strictObject({
  placement: z
    .enum(["own-sentence", "own-line", "anywhere"])
    .default("own-sentence")
    .describe("Where a tag must appear to count as a claim."),
  instruction: z.boolean().default(true).describe("Tell the agent how to claim when the prompt does not."),
  signals: z
    .array(z.enum(["promise", "response"]))
    .min(1)
    .default(["promise", "response"])
    .describe("Which tags count."),
  requireProgress: z
    .boolean()
    .nullable()
    .default(null)
    .describe("Refuse a claim when nothing has changed since the run began; null: only where no check is configured."),
  requireChecks: z.boolean().default(false).describe("Refuse to start a run that has no check."),
});

const scm = z.strictObject({
  command: z.string().trim().min(1).describe("The version control program."),
  tasks: z
    .array(z.string().trim().min(1))
    .min(1)
    .describe("What to do after green guardrails, in order: commit, push, …; `pr` once, after completion."),
  stage: z
    .enum(["run", "tracked", "all"])
    .default("run")
    .describe("Which changes a commit takes: `run` is tracked files and files that are new since the start."),
  hooks: z.boolean().default(true).describe("Run the project's hooks, as they were at the start, when delivering."),
});

/** Enough for one failed call and one short outage. */
export const judgeTriesDefault = 3;

/** Each further try costs a call and half a minute; a judge that fails ten times will fail again. */
const judgeTriesMax = 10;

const verification = z.strictObject({
  default: z
    .enum(defaultMethods)
    .nullable()
    .default(null)
    .describe(
      "How a claim is verified where neither the task nor work.verification says it; null: by a command, a judge or the claim, whatever there is.",
    ),
  timeout: duration("300s", "Maximum time for a judge to answer."),
  onJudgeError: z
    .enum(["wait", "reject", "string_match"])
    .default("wait")
    .describe(
      "What happens when all tries give no usable answer: the run waits (exit code 3) and a resume asks again, the claim is refused, or the claim alone decides.",
    ),
  judge: z
    .strictObject({
      mode: z
        .enum(["agent", "words"])
        .default("agent")
        .describe("Ask an agent, or only search the output for each criterion's words, without a model (weak)."),
      agent: z
        .string()
        .trim()
        .min(1)
        .nullable()
        .default(null)
        .describe("The agent program that judges; the run's own agent, in a fresh context, when null."),
      flags: z.array(z.string()).default([]).describe("Added to every invocation of a separate judge."),
      model: z.string().min(1).nullable().default(null).describe("The judge's model; the agent's own when null."),
      tries: count
        .max(judgeTriesMax)
        .default(judgeTriesDefault)
        .describe("How often to ask a judge that gives no usable answer; the waits between are 5 s and 30 s."),
    })
    .prefault({})
    .describe("Who judges a criterion that no command can."),
});

const review = z.strictObject({
  cap: count
    .default(5)
    .describe("Maximum number of reviews per story; then it is approved with open feedback, or held."),
  atCap: z
    .enum(["approve", "hold"])
    .default("approve")
    .describe("What happens to a story that is still refused at the cap; red checks always hold it."),
  agent: z
    .strictObject({
      command: agent.shape.command.describe("The reviewer's program; agent.command when null."),
      flags: z
        .array(z.string())
        .nullable()
        .default(null)
        .describe("Its flags; when null those of agent.flags, if both are the same program."),
      model: agent.shape.model.describe("Its model; when null agent.model, if both are the same program."),
    })
    .prefault({})
    .describe("Who reviews."),
});

/** Every setting, declared once: name, type, default, limits and one sentence. */
export const settingsSchema = z.strictObject({
  $schema: z.string().exactOptional().describe("For editors; not used."),
  maximumIterations: z
    .union([count, z.literal("unbounded")])
    .default(10)
    .describe('Maximum number of iterations; "unbounded" only with a budget.'),
  loop: z
    .strictObject({
      enabled: z
        .boolean()
        .default(true)
        .describe(
          "Repeat turns until the work is done; false: every run of ralph is one iteration, and every check applies. Loops inside a host have a switch of their own.",
        ),
    })
    .prefault({})
    .describe("Whether runs repeat at all."),
  completionResponse: z
    .string()
    .trim()
    .min(1, "a blank completion text would match an empty tag")
    .default("DONE")
    .describe("The text that a claim must contain."),
  outputTruncateChars: count.default(5000).describe("Characters of guardrail output that reach the agent."),
  outputTruncate: z.enum(["head", "tail", "both"]).default("head").describe("Which end of long output is kept."),
  streamAgentOutput: z
    .boolean()
    .default(true)
    .describe(
      "Show the agent's output while it works; off, `run` asks for plain text, without tokens and cost unless a budget needs them.",
    ),
  display,
  includeIterationCountInPrompt: z.boolean().default(false).describe("Begin each prompt with the iteration count."),
  agent: agent.prefault({}).describe("The agent program and its limits."),
  guardrails: z.array(guardrail).prefault([]).describe("Checks after every turn, in order."),
  guardrailTimeout: duration("30m", "Maximum duration of a guardrail."),
  completion: completion.prefault({}).describe("What counts as a claim."),
  breaker: z
    .strictObject({
      failures: count.nullable().default(5).describe("Failed turns in a row that stop the run; null switches it off."),
      noProgress: count
        .nullable()
        .exactOptional()
        .describe(
          "Turns in a row without any change that stop the run: 5 in ralph run, 3 in ralph work, where another reason of a refusal counts as a change, and ralph prd run unless set; null switches it off.",
        ),
    })
    .prefault({})
    .describe("Stops for runs that get nowhere."),
  budget: z
    .strictObject({
      spend: z.number().positive().nullable().default(null).describe("Maximum cost in US dollars."),
      tokens: count.nullable().default(null).describe("Maximum number of tokens."),
      time: duration(null, "Maximum duration of the whole run."),
    })
    .prefault({})
    .describe("Limits of the whole run; a turn that goes over is cut."),
  restart: z
    .strictObject({
      backoff: z
        .boolean()
        .default(false)
        .describe("Double the restart delay of a supervised task with each failed run in a row, up to 60s."),
    })
    .prefault({})
    .describe("Restarts of a supervised task."),
  prices: z
    .array(price)
    .default([])
    .describe("Your own prices of models, in US dollars per million tokens; they win over the known public ones."),
  children: z
    .strictObject({
      wait: duration("300s", "How long a supervised task waits for its children after DONE."),
      onTimeout: z
        .enum(["terminate", "orphan"])
        .default("terminate")
        .describe("What happens to children that are still running then."),
    })
    .prefault({})
    .describe("Registered child runs of a supervised task."),
  verification: verification.prefault({}).describe("How claims on tasks are verified."),
  review: review.prefault({}).describe("Reviews of a task list's stories, each in a fresh context."),
  scm: scm.nullable().default(null).describe("Delivery after green guardrails."),
  baseline: z
    .boolean()
    .default(false)
    .describe(
      "Run the checks once before the first turn, to distinguish what was broken before from what broke; `work` always does.",
    ),
  work: work.prefault({}).describe("How tasks go through their roles."),
  missingSpec: z
    .enum(["defaults", "single-pass", "error"])
    .default("defaults")
    .describe(
      "What to do with a task that does not say what done means: default criteria, one turn per role, or refuse it.",
    ),
  verifyCommand: z
    .string()
    .trim()
    .min(1)
    .nullable()
    .default(null)
    .describe("The command that verifies the claims of coder, tester and qa when a task names none."),
  seal: seal.prefault({}).describe("Sealed verification of claims."),
  redact: z
    .strictObject({
      enabled: z
        .boolean()
        .default(true)
        .describe("Replace the values of key variables in all output before it is stored."),
      variables: z
        .array(z.string().regex(/^[A-Za-z_]\w*$/, "expected the name of a variable"))
        .default([])
        .describe("More variables whose values, of at least 8 characters, are replaced."),
    })
    .prefault({})
    .describe("Secrets in the output of agents and checks."),
  store: z
    .strictObject({
      keep: z
        .strictObject({
          days: count.default(30).describe("Ended runs older than this many days are removed."),
          bytes: count
            .default(5 * 1024 ** 3)
            .describe("The oldest ended runs are removed when the store exceeds this many bytes."),
        })
        .prefault({})
        .describe("How long ended runs are kept."),
    })
    .prefault({})
    .describe("The record of runs."),
});

/**
 * Settings after defaults and validation.
 *
 * @example
 * ```ts
 * import { parseSettings, type Settings } from "ralph";
 *
 * const settings: Settings = parseSettings([]);
 * console.log(settings.agent.command, settings.completion.placement);
 * ```
 */
export type Settings = z.Output<typeof settingsSchema>;
export type Guardrail = Settings["guardrails"][number];
