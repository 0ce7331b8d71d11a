import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratchRunId } from "../../../tests/git/scratch-repository.ts";
import { openDelivery } from "../../../tests/scm/scratch-delivery.ts";
import { unknownSpend } from "../../core/agents/spend.ts";

describe("a commit", () => {
  it("takes the agent's message, asked for word by word, at a price nobody told (S1-61, S1-63)", async () => {
    const scene = openDelivery();
    scene.write("tracked.txt", "two\n");
    const delivered = await scene.deliver({ answer: "<response>Say two</response>" });
    const commit = scene.git("rev-parse", "HEAD");
    const tree = scene.git("rev-parse", "HEAD^{tree}");
    expect(delivered).toEqual({ commit, problem: null, isCut: false, isUncommitted: false, spend: unknownSpend, tree });
    expect(scene.subjects()).toEqual(["Say two", "start"]);
    expect(scene.asked()).toBe(
      "Provide a short imperative commit message for the changes. Output only the message, no explanation.",
    );
  });

  it("takes tracked files and those that are new since the start, and names the others (S1-63)", async () => {
    const scene = openDelivery();
    scene.write("mine.txt", "mine\n");
    await scene.start();
    scene.write("tracked.txt", "two\n");
    scene.write("new ä.txt", "new\n");
    await scene.deliver({});
    expect(scene.git("status", "--porcelain")).toBe("?? mine.txt");
    expect(scene.notes).toEqual(["Not part of the commit: mine.txt (untracked since before the run)."]);
  });

  it("takes tracked files only, or all of them, where the settings say so (CW-1F, S1-63)", async () => {
    const scene = openDelivery();
    await scene.start();
    scene.write("tracked.txt", "two\n");
    scene.write("new.txt", "new\n");
    await scene.deliver({ stage: "tracked" });
    expect(scene.git("status", "--porcelain")).toBe("?? new.txt");
    await scene.deliver({ stage: "all", iteration: 2 });
    expect(scene.git("status", "--porcelain")).toBe("");
  });

  it("keeps a deleted file deleted", async () => {
    const scene = openDelivery();
    rmSync(join(scene.project, "tracked.txt"));
    await scene.deliver({});
    expect(scene.git("ls-files")).toBe("");
  });

  it("never runs what stands in the message (R-60, CW-1F)", async () => {
    const scene = openDelivery();
    scene.write("tracked.txt", "two\n");
    const message = "Fix $(touch pwned) `touch pwned` \"x\" 'y' ; touch pwned\n\n-- body";
    await scene.deliver({ answer: `<response>${message}</response>` });
    expect(scene.git("log", "-1", "--format=%B")).toBe(message);
    expect(scene.has("pwned")).toBe(false);
  });

  it("is skipped on a clean tree without asking the agent (R-61, CB-11)", async () => {
    const scene = openDelivery();
    expect(await scene.deliver({})).toMatchObject({ commit: null, problem: null });
    expect([scene.asked(), scene.notes]).toEqual([null, []]);
  });

  it("is skipped with a note when only untracked files are new and stage is tracked (CW-1F, CB-11)", async () => {
    const scene = openDelivery();
    for (const name of ["a", "b", "c", "d", "e", "f"]) scene.write(name, "new\n");
    expect(await scene.deliver({ stage: "tracked" })).toMatchObject({ commit: null, problem: null });
    expect([scene.asked(), scene.subjects()]).toEqual([null, ["start"]]);
    expect(scene.notes).toEqual([
      'Nothing was committed. Left out: a, b, c, d, e and 1 more (untracked, and scm.stage is "tracked").',
    ]);
  });

  it.each([
    ["says nothing", { answer: "\n\n" }],
    ["prints only a stream", { answer: '{"type":"system"}\n{"type":"result"}\n' }],
    ["prints only a fence", { answer: "```\n```\n" }],
    ["fails", { answer: "Message", agentCode: 1 }],
  ])("is not made when the agent %s (S1-62, R-60)", async (_what, given) => {
    const scene = openDelivery();
    scene.write("tracked.txt", "two\n");
    const delivered = await scene.deliver({ ...given, tasks: ["commit", "tag never"] });
    const problem = "the agent gave no commit message; nothing was committed.";
    expect(delivered).toMatchObject({ commit: null, problem });
    expect([scene.subjects(), scene.git("tag")]).toEqual([["start"], ""]);
  });

  it.each([
    ["a tracked file", "echo three > tracked.txt", "tracked.txt"],
    ["a new file", "echo x > new.txt", "new.txt"],
    ["the index", "git rm -q --cached tracked.txt", "tracked.txt"],
    ["commits", "git commit -qm mine", "the repository"],
  ])("is not made when the call for its message changed %s (S1-61)", async (_what, agentRuns, named) => {
    const scene = openDelivery();
    scene.write("tracked.txt", "two\n");
    const delivered = await scene.deliver({ agentRuns, tasks: ["commit", "tag never"] });
    const problem = `the call for the commit message changed ${named}; nothing was committed.`;
    expect(delivered).toMatchObject({ commit: null, problem });
    expect(scene.subjects()).not.toContain("Change it");
    expect(scene.git("tag")).toBe("");
  });

  it("leaves out what changes while it is made, and names it (CW-1F)", async () => {
    const scene = openDelivery();
    scene.write("tracked.txt", "two\n");
    scene.hook("pre-commit", "echo three > tracked.txt\necho x > new.txt");
    const { commit, problem } = await scene.deliver({ stage: "all" });
    expect([problem, scene.git("show", `${commit}:tracked.txt`)]).toEqual([null, "two"]);
    expect(scene.git("status", "--porcelain")).toBe("M tracked.txt\n?? new.txt");
    expect(scene.notes).toEqual(["Changed while the commit was made, and not part of it: tracked.txt, new.txt."]);
  });

  it("that a hook of the project refuses is a problem with its words", async () => {
    const scene = openDelivery();
    scene.write("tracked.txt", "two\n");
    scene.hook("pre-commit", "echo no commits on Sunday >&2\nexit 1");
    expect((await scene.deliver({})).problem).toBe("the hook pre-commit exited with code 1: no commits on Sunday");
  });

  it("is the first one of a repository, too", async () => {
    const scene = openDelivery();
    rmSync(join(scene.project, ".git"), { recursive: true });
    scene.git("init", "-q");
    const { commit } = await scene.deliver({ stage: "all" });
    expect([scene.subjects(), commit]).toEqual([["Change it"], scene.git("rev-parse", "HEAD")]);
  });
});

describe("tasks", () => {
  it("run in order, each with its words as arguments (S1-63)", async () => {
    const scene = openDelivery();
    execFileSync("git", ["init", "-q", "--bare", join(scene.root, "remote")]);
    scene.git("remote", "add", "origin", join(scene.root, "remote"));
    scene.write("tracked.txt", "two\n");
    const { problem } = await scene.deliver({ tasks: ["commit", "tag delivered", "push -q origin main --tags"] });
    expect(problem).toBeNull();
    expect(scene.git("ls-remote", "origin", "main", "delivered").split("\n")).toHaveLength(2);
    expect(scene.git("rev-parse", "delivered")).toBe(scene.git("rev-parse", "HEAD"));
  });

  it("stop at the first failure, which is reported; what was committed stays (R-61, CW-1J)", async () => {
    const scene = openDelivery();
    scene.write("tracked.txt", "two\n");
    const delivered = await scene.deliver({ tasks: ["commit", "push nowhere", "tag never"] });
    expect(delivered.commit).toBe(scene.git("rev-parse", "HEAD"));
    expect(delivered.problem).toMatch(/^push nowhere exited with code 128: /);
    expect(scene.git("tag")).toBe("");
  });

  it("never run by a shell (CW-1F)", async () => {
    const scene = openDelivery();
    const { problem } = await scene.deliver({ tasks: ["status; touch pwned"] });
    expect(problem).toContain("status; touch pwned exited with code");
    expect(scene.has("pwned")).toBe(false);
  });

  it("ask nobody: no terminal prompt, and ssh in batch mode with the options chosen (S1-63)", async () => {
    const scene = openDelivery();
    scene.git("config", "core.sshCommand", "ssh -i key");
    scene.git("config", "alias.tell", `!echo "$GIT_TERMINAL_PROMPT $GIT_SSH_COMMAND" > told`);
    expect(await scene.deliver({ tasks: ["tell"] })).toMatchObject({ problem: null });
    expect(readFileSync(join(scene.project, "told"), "utf8")).toBe("0 ssh -i key -o BatchMode=yes\n");
  });

  it("of a cut delivery do not start", async () => {
    const scene = openDelivery();
    scene.write("tracked.txt", "two\n");
    expect(await scene.deliver({ signal: AbortSignal.abort() })).toMatchObject({ isCut: true, commit: null });
    expect(scene.subjects()).toEqual(["start"]);
  });

  it("outside a repository are a problem, not a fault", async () => {
    const scene = openDelivery();
    rmSync(join(scene.project, ".git"), { recursive: true });
    expect((await scene.deliver({})).problem).toContain("not a git repository");
  });
});

describe("a delivery repeated after its driver died", () => {
  /** Cuts the first delivery right when its second task begins. */
  async function cutOff(scene: ReturnType<typeof openDelivery>): Promise<string> {
    const cut = new AbortController();
    scene.git("config", "alias.die", `!touch '${scene.root}/dying'; sleep 60`);
    scene.write("tracked.txt", "two\n");
    const first = scene.deliver({ tasks: ["commit", "die"], signal: cut.signal });
    await expect.poll(() => readable(join(scene.root, "dying")), { timeout: 20_000 }).toBe(true);
    cut.abort();
    const { isCut, problem, commit } = await first;
    expect([isCut, problem, commit]).toEqual([true, null, scene.git("rev-parse", "HEAD")]);
    return commit ?? "";
  }

  const readable = (path: string): boolean => {
    try {
      readFileSync(path);
      return true;
    } catch {
      return false;
    }
  };

  it("repeats no task that was done, and knows the commit (CW-1J)", async () => {
    const scene = openDelivery();
    const commit = await cutOff(scene);
    scene.write("tracked.txt", "an edit of a person\n");
    expect(await scene.deliver({ tasks: ["commit", "tag late"] })).toMatchObject({ commit, problem: null });
    expect([scene.subjects(), scene.git("tag")]).toEqual([["Change it", "start"], "late"]);
  });

  /** What a driver killed during `git commit` has written. */
  function recordBefore(scene: ReturnType<typeof openDelivery>, head: string, tree: string): void {
    const folder = join(scene.root, "state", "streams", scratchRunId);
    execFileSync("mkdir", ["-p", folder]);
    const record = { tasksDone: 0, commit: null, before: { head, tree } };
    writeFileSync(join(folder, "delivery-1.json"), JSON.stringify(record));
  }

  it("does not commit a second time what was committed before the kill (R-61, CW-1J)", async () => {
    const scene = openDelivery();
    const head = scene.git("rev-parse", "HEAD");
    scene.write("tracked.txt", "two\n");
    scene.git("commit", "-qam", "made before the kill");
    recordBefore(scene, head, scene.git("rev-parse", "HEAD^{tree}"));
    scene.write("tracked.txt", "an edit of a person\n");
    const commit = scene.git("rev-parse", "HEAD");
    expect(await scene.deliver({})).toMatchObject({ commit, problem: null });
    expect([scene.asked(), scene.subjects()]).toEqual([null, ["made before the kill", "start"]]);
    expect(scene.notes[0]).toContain(`Commit ${commit.slice(0, 12)} was made before the run was cut off`);
  });

  it("knows its commit although a hook has changed the tree (CW-1J)", async () => {
    const scene = openDelivery();
    const head = scene.git("rev-parse", "HEAD");
    scene.write("tracked.txt", "two, formatted by a hook\n");
    scene.git("commit", "-qam", "made before the kill");
    recordBefore(scene, head, "0".repeat(40));
    expect(await scene.deliver({})).toMatchObject({ commit: scene.git("rev-parse", "HEAD") });
  });

  it("makes the commit that the kill prevented (R-61)", async () => {
    const scene = openDelivery();
    scene.write("tracked.txt", "two\n");
    scene.git("add", "-u");
    recordBefore(scene, scene.git("rev-parse", "HEAD"), scene.git("write-tree"));
    expect(await scene.deliver({})).toMatchObject({ problem: null, commit: scene.git("rev-parse", "HEAD") });
    expect(scene.subjects()).toEqual(["Change it", "start"]);
  });
});
