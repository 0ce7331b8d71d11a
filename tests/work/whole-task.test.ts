import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openWork } from "./open-work.ts";

const fixture = join(import.meta.dirname, "..", "fixtures", "tasks", "whole-task.yaml");

/** The reviewer first says what must not be said; qa says every criterion, one of them late. */
const worker = `
case "$role$iteration" in
  coder1) claim ;;
  coder2) mkdir -p src tests; echo 'cat >> notes.txt' > src/add.sh; echo 'cat -n notes.txt' > src/list.sh; claim ;;
  reviewer1) echo "No absolute paths; every error has a message. It sets path = x."; claim ;;
  reviewer2) echo "There are no absolute paths, and every error has a message."; claim ;;
  tester1) echo 'echo 1 FAILED' > tests/notes.sh; claim ;;
  tester2) echo 'echo 1 passed' > tests/notes.sh; claim ;;
  qa1) echo "There is one line per note."; claim ;;
  qa2) echo "There is one line per note, and exit code 2 for a wrong number."; claim ;;
esac
`;

it("a whole task of another program goes through its roles, and each lie is refused by its method (S2-01, S2-34, S2-61)", async () => {
  const work = openWork();
  work.worker(worker, {
    ralph: { enabled: true, default_max_iterations: 10 },
    verification: { judge: { mode: "words" } },
  });
  copyFileSync(fixture, join(work.root, "whole-task.yaml"));
  expect((await work.run(["task", "import", "../whole-task.yaml"])).code).toBe(0);
  const { code } = await work.run(["work"]);
  expect(code).toBe(0);
  expect(await work.standing()).toEqual({ "NOTE-001": "done qa 1, 8 iterations" });
  const { stdout } = await work.run(["task", "show", "NOTE-001"]);
  for (const reason of [
    "Command exited with 1, expected 0",
    "Found negative pattern: path =",
    "Output contains forbidden: FAILED",
    "Stage 'acceptance' failed: Criterion not evident: exit code 2",
    "All 3 verification stages passed",
  ])
    expect(stdout).toContain(reason);
  expect(work.promptsOf("NOTE-001", "coder")[1]).toContain("GENUINELY complete");
});
