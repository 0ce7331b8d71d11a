import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDelivery, type ScratchDelivery } from "../../../tests/scm/scratch-delivery.ts";

/** A program that notes its arguments, one call a line, and answers a list and a creation. */
function opener(scene: ScratchDelivery, name: string, { listed = "[]", created = "", code = 0 }): void {
  const body = [
    `echo "$*" >> '${scene.root}/${name}-calls'`,
    `case "$2" in list) printf '%s' '${listed}';; *) echo '${created}'; exit ${code};; esac`,
  ];
  scene.program(name, body.join("\n"));
}

const calls = (scene: ScratchDelivery, name: string): string[] =>
  readFileSync(join(scene.root, `${name}-calls`), "utf8")
    .trim()
    .split("\n");

describe("a pull request", () => {
  it("is opened by gh for the branch checked out, with the words of the task (S1-63)", async () => {
    const scene = openDelivery();
    scene.git("checkout", "-q", "-b", "feature/x");
    opener(scene, "gh", { created: "https://github.com/a/b/pull/7" });
    const delivered = await scene.deliver({ of: "completion", tasks: ["commit", "pr --draft"] });
    expect(delivered).toMatchObject({ problem: null, commit: null });
    expect(calls(scene, "gh")).toEqual([
      "pr list --head feature/x --state open --limit 1 --json url",
      "pr create --head feature/x --fill --draft",
    ]);
    expect(scene.notes).toEqual(["Opened a pull request: https://github.com/a/b/pull/7"]);
  });

  it("is opened by glab when the remote is on such a host (S1-63)", async () => {
    const scene = openDelivery();
    scene.git("remote", "add", "origin", "git@gitlab.example.org:a/b.git");
    opener(scene, "gh", { created: "https://github.com/a/b/pull/7" });
    opener(scene, "glab", { created: "https://gitlab.example.org/a/b/-/merge_requests/3" });
    await scene.deliver({ of: "completion", tasks: ["pr"] });
    expect(calls(scene, "glab")).toEqual([
      "mr list --source-branch main --output json",
      "mr create --source-branch main --fill --yes",
    ]);
    expect(scene.notes).toEqual(["Opened a pull request: https://gitlab.example.org/a/b/-/merge_requests/3"]);
  });

  it("that is open already is found and not opened again (S1-63)", async () => {
    const scene = openDelivery();
    opener(scene, "gh", { listed: '[{"url":"https://github.com/a/b/pull/7"}]' });
    expect(await scene.deliver({ of: "completion", tasks: ["pr"] })).toMatchObject({ problem: null });
    expect(calls(scene, "gh")).toHaveLength(1);
    expect(scene.notes).toEqual(["The pull request is open already: https://github.com/a/b/pull/7"]);
  });

  it("that cannot be opened is a problem with the program's words (CW-1J)", async () => {
    const scene = openDelivery();
    opener(scene, "gh", { created: "must be on a branch named differently than main", code: 1 });
    const { problem } = await scene.deliver({ of: "completion", tasks: ["pr"] });
    expect(problem).toBe("pr by gh exited with code 1: must be on a branch named differently than main");
  });

  it("without a program for it is a problem that names the programs (CW-1J)", async () => {
    const scene = openDelivery();
    scene.git("remote", "add", "origin", "https://github.com/a/b.git");
    const realGit = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
    scene.program("git", `exec ${realGit} "$@"`);
    const { problem } = await scene.deliver({
      of: "completion",
      tasks: ["pr"],
      env: { PATH: join(scene.root, "programs") },
    });
    expect(problem).toBe("pr: gh is not installed; install it and sign in, or open the pull request by hand.");
  });

  it("needs a branch (CW-1J)", async () => {
    const scene = openDelivery();
    scene.git("checkout", "-q", "--detach");
    const { problem } = await scene.deliver({ of: "completion", tasks: ["pr"] });
    expect(problem).toBe("pr: no branch is checked out; check one out and push it.");
  });

  it("is no task of an iteration, and nothing else is a task of the end (S1-63)", async () => {
    const scene = openDelivery();
    opener(scene, "gh", { created: "https://github.com/a/b/pull/7" });
    scene.write("tracked.txt", "two\n");
    await scene.deliver({ of: "completion", tasks: ["commit", "pr"] });
    expect(scene.subjects()).toEqual(["start"]);
    await scene.deliver({ tasks: ["commit", "pr"] });
    expect([scene.subjects(), calls(scene, "gh").length]).toEqual([["Change it", "start"], 2]);
  });
});
