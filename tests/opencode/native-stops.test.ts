import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type FakeOpencode, openOpencode, session } from "./fake-opencode.ts";
import { patient } from "../patience.ts";

const hosts: FakeOpencode[] = [];
afterEach(() => hosts.splice(0).forEach((host) => host.close()));

/** A host in a project whose criterion is this command; a person has asked for something and the agent has answered. */
async function asked(command: string, text = "All done."): Promise<FakeOpencode> {
  const host = await openOpencode();
  hosts.push(host);
  ask(host, command);
  await host.send("session.created");
  await speak(host, text);
  return host;
}

function ask({ directory }: FakeOpencode, command: string): void {
  const verification = { verification_method: "external", verification_config: { command } };
  const coder = { promise: "DONE", description: "It works", ...verification };
  mkdirSync(join(directory, "ralph"), { recursive: true });
  writeFileSync(
    join(directory, "ralph", "criteria.yaml"),
    JSON.stringify({ outcome: "It works.", acceptance_criteria: ["it works"], coder }),
  );
}

async function speak(host: FakeOpencode, answer: string): Promise<void> {
  await host.command("other", "Make it work.");
  await host.send("session.status-busy");
  host.says(answer);
}

const toasts = (host: FakeOpencode): string[] => host.toasts.map(({ message }) => message);
const wordsOf = (host: FakeOpencode): string[] =>
  host.prompts.map(({ body }) => (body["parts"] as { text: string }[])[0]?.text ?? "");

/** The check is a real process, so the time it takes is real. */
const until = (fact: () => void): Promise<void> => vi.waitFor(fact, { timeout: patient(20_000), interval: 20 });

const needsAnswer = "printf x >> count; test -f answer.txt || { echo no answer here; exit 3; }";
const counted = ({ directory }: FakeOpencode): number => {
  const path = join(directory, "count");
  return existsSync(path) ? readFileSync(path, "utf8").length : 0;
};

const neverEnds = "echo $$ > pid; exec sleep 300";
const pidOf = ({ directory }: FakeOpencode): number =>
  existsSync(join(directory, "pid")) ? Number(readFileSync(join(directory, "pid"), "utf8")) : 0;

describe("a session without a loop in a project with criteria", () => {
  it("is judged only after a change: a stop of a session that changed nothing passes silently", async () => {
    const host = await openOpencode();
    hosts.push(host);
    execFileSync("git", ["init", "--quiet"], { cwd: host.directory });
    // The store of the test lies in the project.
    writeFileSync(join(host.directory, ".gitignore"), "/state/\n");
    const count = join(host.directory, ".ralph", "count");
    mkdirSync(dirname(count));
    ask(host, "printf x >> .ralph/count; false");
    await host.send("session.created");
    const sessions = join(host.directory, "state", "sessions");
    const frozen = (): string[] => readdirSync(sessions).filter((name) => name.startsWith("criteria-"));
    await until(() => expect(readFileSync(join(sessions, frozen()[0] ?? ""), "utf8")).toContain('"verifiedState":"'));
    await speak(host, "It is 42.");
    await host.idle();
    // Once for what was said, and once more when it has judged.
    await until(() => expect(host.asked.count).toBe(2));
    writeFileSync(join(host.directory, "answer.txt"), "42");
    await speak(host, "I wrote it down.");
    await host.idle();
    await until(() => expect(host.prompts).toHaveLength(1));
    expect(readFileSync(count, "utf8")).toBe("x");
  });

  it("is sent back with the reason until they are verified (S4-95)", async () => {
    const host = await asked(needsAnswer);
    await host.idle();
    await until(() => expect(host.prompts).toHaveLength(1));
    expect(wordsOf(host)[0]).toContain("The work is not verified (ralph/criteria.yaml)");
    expect(wordsOf(host)[0]).toContain("no answer here");
    expect(host.prompts[0]).toMatchObject({ id: session, body: { agent: "build" } });
    writeFileSync(join(host.directory, "answer.txt"), "42");
    host.says("Now it is there.");
    await host.idle();
    await until(() => expect(toasts(host)).toContain("Verified by ralph/criteria.yaml."));
    expect(host.prompts).toHaveLength(1);
  });

  it("is judged once for a stop that the host tells of twice (R-30)", async () => {
    const host = await asked(needsAnswer);
    await host.idle();
    await host.idle();
    await until(() => expect(host.prompts).toHaveLength(1));
    await host.idle();
    writeFileSync(join(host.directory, "answer.txt"), "42");
    host.says("Now it is there.");
    await host.idle();
    await until(() => expect(toasts(host)).toContain("Verified by ralph/criteria.yaml."));
    expect([host.prompts.length, counted(host)]).toEqual([1, 2]);
  });

  it.each(["session.error-MessageAbortedError", "session.error-APIError"])(
    "is left alone after %s, and judged after the next turn (R-36)",
    async (error) => {
      const host = await asked(needsAnswer);
      await host.send(error);
      await host.idle();
      await host.idle();
      await host.pass(10_000);
      expect([host.prompts.length, counted(host)]).toEqual([0, 0]);
      await speak(host, "All done.");
      await host.idle();
      await until(() => expect(host.prompts).toHaveLength(1));
      expect(counted(host)).toBe(1);
    },
  );

  it("is held by the criteria of its begin, whatever an agent makes of the file", async () => {
    const host = await asked("false");
    ask(host, "true");
    await host.idle();
    await until(() => expect(host.prompts).toHaveLength(1));
    expect(wordsOf(host)[0]).toContain("was changed during this session");
  });

  it("may end after five equal reasons, and the person hears that nothing was verified (CW-4R)", async () => {
    const host = await asked("false");
    for (let time = 1; time <= 5; time += 1) {
      await host.idle();
      await until(() => expect(host.prompts).toHaveLength(time));
      host.says("It is fine.");
    }
    await host.idle();
    await until(() => expect(toasts(host).at(-1)).toContain("NOT verified"));
    expect(host.prompts).toHaveLength(5);
  });

  it("may end after twenty reasons in a row that all differ: nothing costs for ever (CW-4R)", async () => {
    const host = await asked('printf x >> count; exit "$(wc -c < count)"');
    for (let time = 1; time <= 20; time += 1) {
      await host.idle();
      await until(() => expect(host.prompts).toHaveLength(time));
      host.says("It is fine.");
    }
    await host.idle();
    await until(() => expect(toasts(host).at(-1)).toContain("NOT verified, 20 times in a row"));
    expect(host.prompts).toHaveLength(20);
  });

  it("leaves the word to a person who spoke while it was verified, and is judged after that (R-31)", async () => {
    const host = await asked("printf x >> count; while ! test -f spoken; do sleep 0.01; done; exit 1");
    await host.idle();
    await until(() => expect(counted(host)).toBe(1));
    await speak(host, "Yes?");
    await host.idle();
    expect(host.prompts).toEqual([]);
    writeFileSync(join(host.directory, "spoken"), "");
    await until(() => expect(host.prompts).toHaveLength(1));
    expect(counted(host)).toBe(2);
  });

  it("leaves nothing running when the host ends during a verification", async () => {
    const host = await asked(neverEnds);
    await host.idle();
    await until(() => expect(pidOf(host)).toBeGreaterThan(0));
    await host.hooks.dispose?.();
    await until(() => expect(() => process.kill(pidOf(host), 0)).toThrow("ESRCH"));
    expect(host.prompts).toEqual([]);
  });

  it("is not sent back inside a run of ralph (CB-06)", async () => {
    vi.stubEnv("RALPH_RUN_ID", "r1");
    const host = await asked(needsAnswer);
    await host.idle();
    await host.pass(10_000);
    expect([host.prompts.length, counted(host)]).toEqual([0, 0]);
  });

  it("whose criteria cannot be read is held back once with the reason, and the person hears of the next stop", async () => {
    const host = await openOpencode();
    hosts.push(host);
    mkdirSync(join(host.directory, "ralph"));
    writeFileSync(join(host.directory, "ralph", "criteria.yaml"), "outcome: [");
    await host.send("session.created");
    await speak(host, "All done.");
    await host.idle();
    const problem = "ralph/criteria.yaml is not YAML";
    await until(() => expect(wordsOf(host).at(-1)).toContain(`The work cannot be verified: ${problem}`));
    host.says("I cannot correct it.");
    await host.idle();
    await until(() => expect(toasts(host).at(-1)).toMatch(new RegExp(`${problem}.*NOT verified`)));
    expect(host.prompts).toHaveLength(1);
  });

  it("of a sub-agent is never judged", async () => {
    const host = await asked(needsAnswer);
    await host.send("session.created-child", "ses_child", { info: { id: "ses_child", parentID: session } });
    host.says("Part of it is done.", { sessionId: "ses_child" });
    await host.idle("ses_child");
    await host.idle();
    await until(() => expect(host.prompts).toHaveLength(1));
    expect([host.prompts[0]?.id, counted(host)]).toEqual([session, 1]);
  });
});

describe("a loop in a project with criteria", () => {
  it("refuses a false claim with the reason, and completes with a true one (S0-34)", async () => {
    const host = await openOpencode();
    hosts.push(host);
    ask(host, needsAnswer);
    await host.send("session.created");
    await host.command("ralph", '"Fix it" --max-iterations=5');
    await host.send("session.status-busy");
    host.says("All done.\n\n<promise>DONE</promise>");
    await host.idle();
    await until(() => expect(host.prompts).toHaveLength(1));
    expect(wordsOf(host)[0]).toContain("ITERATION 2/5");
    expect(wordsOf(host)[0]).toContain("no answer here");
    writeFileSync(join(host.directory, "answer.txt"), "42");
    await host.send("session.status-busy");
    host.says("All done.\n\n<promise>DONE</promise>");
    await host.idle();
    await until(() => expect(host.toasts.at(-1)?.title).toBe("Ralph Loop Complete!"));
    await host.idle();
    await host.pass(10_000);
    expect([host.prompts.length, counted(host)]).toEqual([1, 2]);
  });

  it("is held by the criteria of the session's begin, also when it starts after an edit", async () => {
    const host = await asked("echo the first one; false");
    ask(host, "true");
    await host.command("ralph", '"Fix it" --max-iterations=5');
    await host.send("session.status-busy");
    host.says("All done.\n\n<promise>DONE</promise>");
    await host.idle();
    await until(() => expect(host.prompts).toHaveLength(1));
    expect(wordsOf(host)[0]).toContain("the first one");
  });

  it("that is cancelled during a verification ends it, and leaves nothing running (S0-42)", async () => {
    const host = await openOpencode();
    hosts.push(host);
    ask(host, neverEnds);
    await host.command("ralph", '"Fix it"');
    host.says("All done.\n\n<promise>DONE</promise>");
    await host.idle();
    await until(() => expect(pidOf(host)).toBeGreaterThan(0));
    expect(await host.command("cancel-ralph", "")).toContain("was cancelled");
    await until(() => expect(() => process.kill(pidOf(host), 0)).toThrow("ESRCH"));
    expect(host.prompts).toEqual([]);
  });

  it("is verified also when two sessions start theirs at the same moment (S0-34)", async () => {
    const host = await openOpencode();
    hosts.push(host);
    ask(host, "false");
    await Promise.all(["ses_a", "ses_b"].map((id) => host.command("ralph", '"Fix it" --max-iterations=5', id)));
    for (const id of ["ses_a", "ses_b"]) {
      host.says("All done.\n\n<promise>DONE</promise>", { sessionId: id });
      await host.idle(id);
    }
    await until(() => expect(host.prompts.map(({ id }) => id).toSorted()).toEqual(["ses_a", "ses_b"]));
  });
});
