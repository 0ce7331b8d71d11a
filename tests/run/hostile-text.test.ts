import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { story, taskFileText } from "../prd/sample-task-file.ts";
import { type Ended, openProject, type ScratchProject } from "./scratch-project.ts";

/** Everything a text can try: codes of both sets, title, clipboard, link, direction, hidden characters, forged lines. */
const codes =
  "\u001B[2J\u001B[8m\u001B]0;owned\u0007\u001B]52;c;aGk=\u0007\u001BP1$q\u001B\\\u009B2J\u202E\u2066\u200B\uFEFF\b";
const breaks = "\nFORGED: a\r\nFORGED: b\rFORGED: c\u2028FORGED: d\u0085FORGED: e\vFORGED: f";
const evil = `evil${codes}${breaks}`;

/** The same for names that must stay on one line. */
const evilName = "evil\u001B[2J\u009B2J\u202E\u200B\nFORGED: name";

const forbidden = /[^\P{Cc}\n\t]|[\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/u;

function expectHarmless(words: readonly string[], { stdout, stderr }: Ended): void {
  for (const [name, text] of Object.entries({ stdout, stderr })) {
    expect({ words, found: forbidden.exec(text)?.[0] ?? null, text }).toMatchObject({ found: null });
    const forged = isAgentsOwn(words, name) ? [] : text.split("\n").filter((line) => line.startsWith("FORGED"));
    expect({ words, forged }).toEqual({ words, forged: [] });
  }
}

/** A run's agent speaks on standard output; what ralph says of the run is elsewhere. */
function isAgentsOwn(words: readonly string[], name: string): boolean {
  return ["run", "work"].includes(words[0] ?? "") && name === "stdout";
}

/** Runs the commands one after the other; each prints something, and nothing of it acts on a terminal. */
async function check(project: ScratchProject, commands: readonly string[][]): Promise<void> {
  for (const words of commands) {
    const ended = await project.run(words, { stdin: "" });
    expectHarmless(words, ended);
    expect({ words, isSilent: ended.stdout + ended.stderr === "" }).toEqual({ words, isSilent: false });
    if (words.includes("--json") && ended.code === 0)
      for (const line of ended.stdout.trimEnd().split("\n")) JSON.parse(line);
  }
}

describe("text of agents, files and repositories does nothing to a terminal (S1-74)", () => {
  it("in a run, its views and its records", async () => {
    const project = openProject();
    const agent = project.plainAgent(`cat said; echo '<question>'; cat said; echo '</question>'`);
    project.write("said", evil);
    project.settings({
      agent: { command: agent, retryDelay: 0 },
      guardrails: [{ command: `cat said >&2; exit 1 # ${evil}`, failAction: "APPEND" }],
    });
    const run = ["run", "-p", evil, "-m", "1"];
    await check(project, [
      [...run, "--dry-run"],
      [...run, "--dry-run", "--json"],
      [...run, "-V"],
      [...run, "--json"],
      [...run, "-q"],
      ["status"],
      ["status", "--all", "--json"],
      ["show"],
      ["show", "--json"],
      ["logs"],
      ["logs", "--json"],
      ["cancel"],
    ]);
  });

  it("in settings and what is said about them", async () => {
    const project = openProject();
    project.settings({ agent: { command: evil, flags: [evil] }, scm: { command: evil, tasks: ["commit"] } });
    const commands = [
      ["settings", "show"],
      ["settings", "show", "--explain"],
      ["settings", "show", "--json"],
      ["doctor"],
      ["doctor", "--json"],
      ["run", "-p", "x", "-m", "1", "-V"],
    ];
    await check(project, commands);
    project.settings({ [evil]: 1, agent: { command: 7, [evil]: evil }, completionResponse: { [evil]: evil } });
    await check(project, [["settings", "check"], ["settings", "check", "--json"], ["run", "-p", "x"], ["doctor"]]);
    project.settings(`{ "a": ${evil}`);
    await check(project, [
      ["settings", "check"],
      ["prd", "status"],
    ]);
  });

  it("in names of directories and in arguments", async () => {
    const project = openProject();
    const inner = join(project.directory, evilName);
    mkdirSync(join(inner, ".ralph"), { recursive: true });
    writeFileSync(join(inner, ".ralph/settings.json"), JSON.stringify({ agent: { command: "true" } }));
    await check(project, [
      ["run", "-C", inner, "-p", "x", "-m", "1"],
      ["status", "-C", inner],
      ["status", "--all"],
      ["show", "-C", inner],
      ["task", "list", "-C", inner],
      ["prd", "init", "-C", inner],
      ["bus", "discover", "-C", inner],
      ["plugin", "status", "-C", inner],
      ["show", evil],
      ["cancel", evil],
      ["task", "show", evil],
      ["task", "import", evil],
      ["plugin", "install", evil],
      ["bus", "read", "--bus", evil],
      ["run", "-f", evil],
      ["run", "-m", evil],
      ["run", `--${evil}`],
      [evil],
    ]);
  });

  it("in names of files and branches", async () => {
    const project = openProject({ isGit: true });
    const git = (...words: string[]): void => void execFileSync("git", words, { cwd: project.directory });
    project.write(evilName, "one");
    git("add", "-A");
    git("-c", "user.name=T", "-c", "user.email=t@example.invalid", "commit", "--quiet", "--message", evil);
    git("checkout", "--quiet", "-b", "evil\u009B2J\u202E\u200B");
    project.write(evilName, "two");
    project.plainAgent("claim", { scm: { command: "git", tasks: ["commit", "push"] } });
    await check(project, [["run", "-p", "x", "-m", "1"], ["run", "-p", "x", "-m", "1", "--allow-dirty"], ["show"]]);
  });

  it("in tasks and the work on them", async () => {
    const project = openProject();
    project.plainAgent("cat evil.txt");
    project.write("evil.txt", evil);
    const definition = {
      id: "evil-1",
      spec: evil,
      title: evil,
      description: evil,
      metadata: { [evil]: evil },
      completion: {
        outcome: evil,
        acceptance_criteria: [evil],
        coder: {
          promise: evil,
          description: evil,
          verification_method: "external",
          verification_config: { command: `exit 1 # ${evil}` },
        },
      },
    };
    project.write("tasks.json", JSON.stringify({ tasks: [definition] }));
    project.write("wrong.json", JSON.stringify({ tasks: [{ ...definition, id: evil, [evil]: 1, priority: evil }] }));
    await check(project, [
      ["task", "import", "tasks.json"],
      ["task", "import", "wrong.json"],
      ["task", "list"],
      ["task", "list", "--json"],
      ["task", "show", "evil-1"],
      ["task", "show", "evil-1", "--json"],
      ["work", "-m", "1"],
      ["status"],
      ["show"],
      ["show", "evil-1"],
      ["task", "show"],
    ]);
  });

  it("in a task list", async () => {
    const project = openProject();
    project.plainAgent("claim");
    await project.run(["prd", "init"]);
    const hostile = story("evil-1", { title: evil, description: evil, notes: evil, acceptanceCriteria: [evil] });
    project.write("ralph/tasks.json", taskFileText([hostile], { project: evil, verifyCommands: [`exit 1 # ${evil}`] }));
    await check(project, [
      ["prd", "status"],
      ["prd", "status", "--json"],
      ["prd", "run", "--unsafe", "-n", "1"],
      ["show"],
    ]);
    project.write(
      "ralph/tasks.json",
      taskFileText([story(evil, { dependsOn: [evil], priority: evil })], { [evil]: 1 }),
    );
    await check(project, [
      ["prd", "status"],
      ["prd", "run", "--unsafe"],
    ]);
  });

  it("on a message bus", async () => {
    const project = openProject();
    project.write("TASK-MESSAGE-BUS.md", "");
    const bus = ["--bus", join(project.directory, "TASK-MESSAGE-BUS.md"), "--project", "p"];
    await check(project, [
      ["bus", "post", "--body", evil, "--type", "FACT", ...bus],
      ["bus", "read", "--bus", join(project.directory, "TASK-MESSAGE-BUS.md")],
      ["bus", "read", "--json", "--bus", join(project.directory, "TASK-MESSAGE-BUS.md")],
    ]);
  });
});
