import { isFinalTask } from "../../core/settings/run/delivery-task.ts";
import type { Settings } from "../../core/settings/settings.ts";
import { findProgram } from "../lib/find-program.ts";
import { saysGit } from "../delivery/require-git.ts";
import { openerPrograms } from "../delivery/pull-request.ts";
import { committerOf } from "../git/trees/tree-fingerprint.ts";
import { findRepository } from "../git/repository.ts";
import type { Disk, Processes } from "../ports.ts";
import { askVersion, type VersionContext } from "../processes/ask-version.ts";
import { fine, type Finding } from "./finding.ts";

/** Where delivery is looked at. */
export type DeliveryContext = VersionContext & { projectDir: string; disk: Disk; processes: Processes };

/** Git, and what delivery needs beyond it. Without delivery git only tells whether a turn changed anything. */
export async function findDelivery(context: DeliveryContext, scm: Settings["scm"]): Promise<Finding[]> {
  const program = scm?.command ?? "git";
  const version = await findScm(context, program, scm !== null);
  if (version.state !== "ok" || scm === null) return [version];
  const tasks = await Promise.all([
    scm.tasks.includes("commit") ? findCommitter(context) : [],
    scm.tasks.some(isFinalTask) ? findOpeners(context) : [],
  ]);
  return [version, ...tasks.flat()];
}

async function findScm(context: DeliveryContext, program: string, isNeeded: boolean): Promise<Finding> {
  const file = await findProgram(program, { env: context.env, directory: context.projectDir });
  if (file === null) {
    const why = isNeeded ? "not found, and scm.tasks need it" : "not found";
    return { name: program, state: isNeeded ? "broken" : "missing", text: why, remedy: `Install ${program}.` };
  }
  const answer = await askVersion(file, context);
  if ("words" in answer && !saysGit(answer.words)) {
    const text = "does not say that it is git, and ralph delivers with git only";
    return { name: program, state: "broken", text, remedy: 'Set scm.command to "git".' };
  }
  if ("version" in answer) return { ...fine(program, `${answer.version}, ${file}`), version: answer.version };
  return { name: program, state: isNeeded ? "broken" : "warn", text: answer.problem, remedy: `Repair ${program}.` };
}

/** A commit fails at night when git does not know whose it is. */
async function findCommitter(context: DeliveryContext): Promise<Finding[]> {
  const name = "delivery";
  const { projectDir, disk } = context;
  const broken = (text: string, remedy: string): Finding[] => [{ name, state: "broken", text, remedy }];
  if (findRepository(disk, projectDir) === null)
    return broken(`${projectDir} is not a git repository`, "Make it one: git init");
  const committer = await committerOf(context, projectDir);
  const remedy = "Tell it: git config user.name NAME && git config user.email ADDRESS";
  return committer === null ? broken("git does not know who commits", remedy) : [fine(name, `commits as ${committer}`)];
}

async function findOpeners({ env, projectDir }: DeliveryContext): Promise<Finding[]> {
  const files = await Promise.all(
    openerPrograms.map((program) => findProgram(program, { env, directory: projectDir })),
  );
  const found = files.filter((file) => file !== null);
  if (found.length > 0) return [fine("pull request", found.join(", "))];
  const text = `${openerPrograms.join(" and ")} are not found, and scm.tasks has pr`;
  return [{ name: "pull request", state: "warn", text, remedy: `Install ${openerPrograms.join(" or ")} and sign in.` }];
}
