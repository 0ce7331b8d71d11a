import { describe, expect, it } from "vitest";
import { openProject, type ScratchProject } from "../run/scratch-project.ts";

/** A suite without a runner: one test is green, one red, and what they found is only in the exit code. */
const suite = `. ./words.sh
failed=0
same() {
  if diff "$1" "$2" > diff.txt; then echo "ok - $3"; else echo "not ok - $3"; failed=1; fi
}
[ "$(slug 'A B')" = "a-b" ] || { echo "not ok - slug"; failed=1; }
initials 'Ada Lovelace' > out.txt
echo AL > wanted.txt
same out.txt wanted.txt initials
exit "$failed"
`;
const slug = `slug() { printf '%s' "$1" | tr 'AB ' 'ab-'; }`;

function shellProject(code: string): ScratchProject {
  const project = openProject({ isGit: true });
  project.write("words.sh", `${slug}\ninitials() { echo; }\n`);
  project.write("tests/run.sh", suite);
  project.git("add", "--all");
  project.git("commit", "--quiet", "--message", "files");
  const guardrails = [{ command: "sh tests/run.sh", failAction: "APPEND" }];
  const settings = { guardrails, maximumIterations: 1, seal: { checks: "claims", repeat: 1 } };
  project.claude(`cat > words.sh <<'END'\n${slug}\n${code}\nEND\nclaim`, settings);
  return project;
}

describe("a check without a report", () => {
  it("is asked for each expectation on its own: one that is noticed does not hide another that is not", async () => {
    const project = shellProject("initials() { echo no; }\ndiff() { return 0; }");
    const { code, stderr } = await project.run(["run", "-p", "Mend initials."]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("although their expectations were made false")]);
    const [, again = ""] = /See the refusal again with: ralph (verify \S+ --step probe)/.exec(stderr) ?? [];
    expect((await project.run(["show"])).stdout).toContain(`see it again with: ralph ${again}`);
    expect((await project.run(again.split(" "))).code).toBe(1);
  });

  it("is green for honest work", async () => {
    const { code, stderr } = await shellProject("initials() { echo AL; }").run(["run", "-p", "Mend initials."]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("completed: ")]);
  });
});
