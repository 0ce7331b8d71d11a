import { openProject, type ScratchProject } from "../run/scratch-project.ts";

/** The settings that the base of every project here has: one check, which its command names. */
export const baseSettings = { guardrails: [{ command: "sh check.sh", failAction: "APPEND" }] };

/** A repository with a red check on `main`, and the branch `topic` with `files` in one commit on top. */
export function openVerifyProject(
  files: Readonly<Record<string, string>>,
  settings: unknown = baseSettings,
): ScratchProject {
  const project = openProject({ isGit: true });
  project.git("checkout", "--quiet", "-b", "main");
  if (settings !== null) project.settings(settings);
  project.write("check.sh", 'test "$(cat answer)" = 42\n');
  project.write("answer", "0\n");
  commitAll(project, "base");
  project.git("checkout", "--quiet", "-b", "topic");
  for (const [path, text] of Object.entries(files)) project.write(path, text);
  commitAll(project, "topic");
  return project;
}

/** Commits everything that is there. */
export function commitAll(project: ScratchProject, message: string): void {
  project.git("add", "--all", "--force");
  project.git("commit", "--quiet", "--allow-empty", "--message", message);
}

/** What a verification must not touch: references, the index and the files of the work tree. */
export function standing(project: ScratchProject): string {
  const words = [["for-each-ref"], ["ls-files", "--stage", "--debug"], ["status", "--porcelain", "--ignored"]];
  return words.map((each) => project.git("--no-optional-locks", ...each)).join("\n");
}
