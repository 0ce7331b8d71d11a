import { storeFollowUp } from "../../../app/tasks/follow-up.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import { isObject } from "../../../core/text/is-object.ts";
import { wireStore } from "../../../shell/wire-store.ts";
import type { Input } from "../input/command-spec.ts";
import { DialogueEnded, openDialogue } from "../input/dialogue.ts";
import { isOn, listOption, type Options, projectDirOption, textOption } from "../input/read-input.ts";
import { withFlags } from "./definition-flags.ts";
import { tellStored } from "./tell-stored.ts";
import { toldSettings } from "./told-settings.ts";

type Document = Record<string, unknown>;

/** `ralph task follow-up`: a task after another one, with an outcome and criteria of its own (S2-52). */
export default async function followUp(input: Input): Promise<number> {
  const { options } = input;
  const [after = "", title = null] = input.arguments;
  const directory = projectDirOption(options);
  const machine = await wireStore();
  try {
    const { work } = await toldSettings(machine, directory);
    const { id } = await storeFollowUp(machine, {
      directory,
      after,
      id: textOption(options, "id"),
      title,
      hasSameChecks: isOn(options, "sameChecks"),
      change: (document) =>
        withCompletion(withFlags(document, withDependencies(document, options), work.promises), after),
    });
    await tellStored(machine, { directory, id, isJson: isOn(options, "json") });
    return 0;
  } finally {
    await machine.store.close();
  }
}

/** Further dependencies are added: without the former task it would not follow it. */
function withDependencies(document: Document, options: Options): Options {
  const more = listOption(options, "dependsOn");
  const own: unknown[] = Array.isArray(document["dependencies"]) ? document["dependencies"] : [];
  return more === null ? options : { ...options, dependsOn: [...new Set([...own, ...more])] };
}

/** What done means: taken over, said by flags, or asked for on a terminal. */
async function withCompletion(document: Document, after: string): Promise<Document> {
  const completion = isObject(document["completion"]) ? document["completion"] : {};
  if ("outcome" in completion && "acceptance_criteria" in completion) return document;
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new RalphError(
      "usage",
      "A follow-up needs an outcome and an acceptance criterion of its own.",
      `For example: ralph task follow-up ${after} "What is next" --outcome "What is true then" --acceptance "How one sees it"`,
    );
  return { ...document, completion: { ...completion, ...(await askCompletion(completion)) } };
}

async function askCompletion(completion: Document): Promise<Document> {
  const dialogue = openDialogue(process.stdin, process.stderr);
  try {
    const outcome = completion["outcome"] ?? (await dialogue.ask("What is true when it is done? "));
    if ("acceptance_criteria" in completion) return { outcome };
    const criteria: string[] = [];
    for (;;) {
      const answer = await dialogue.ask(`Acceptance criterion ${criteria.length + 1} (empty: no more): `);
      if (answer === "") return { outcome, acceptance_criteria: criteria };
      criteria.push(answer);
    }
  } catch (error) {
    if (!(error instanceof DialogueEnded)) throw error;
    throw new RalphError("usage", "The questions were ended; nothing was stored.");
  } finally {
    dialogue.close();
  }
}
