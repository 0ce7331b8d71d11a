import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Answered, type HookWorld, openHookWorld } from "./built-hook.ts";

let world: HookWorld;
beforeEach(() => {
  world = openHookWorld();
  world.git("init", "--quiet");
  write("answer.txt", "41\n");
  const config = { command: "grep -qx 42 answer.txt" };
  const coder = {
    promise: "DONE",
    description: "It works",
    verification_method: "external",
    verification_config: config,
  };
  write("ralph/criteria.yaml", JSON.stringify({ outcome: "It works.", acceptance_criteria: ["it works"], coder }));
  world.git("add", "--all");
  commit();
  world.run("session-start", "SessionStart-startup");
});
afterEach(() => world.remove());

function write(path: string, text: string): void {
  const whole = join(world.project, path);
  mkdirSync(join(whole, ".."), { recursive: true });
  writeFileSync(whole, text);
}

function commit(): void {
  world.git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet", "--all", "--message", "Change");
}

function stops(): Answered {
  return world.run("stop", "Stop-first", { fields: { last_assistant_message: "Done." } });
}

const silent = { exitCode: 0, stdout: "", stderr: "" };

describe("a stop of a session that changed nothing passes silently", () => {
  it("since the session began, though its criteria are red", () => {
    expect(stops()).toMatchObject(silent);
    write("answer.txt", "43\n");
    expect(stops().exitCode).toBe(2);
  });

  it("since its work was verified, and that state alone", () => {
    write("answer.txt", "42\n");
    expect(stops().json.systemMessage).toBe("Verified by ralph/criteria.yaml.");
    expect(stops()).toMatchObject(silent);
    write("answer.txt", "41\n");
    expect(stops().exitCode).toBe(2);
  });

  it("also with a file of ralph's own that is new", () => {
    write(".ralph/notes.md", "a note");
    expect(stops()).toMatchObject(silent);
  });
});

describe("a stop is judged after a change of any kind, so no session that changed something passes silently", () => {
  it.each<[string, () => void]>([
    ["a commit", () => (write("b", "b"), world.git("add", "b"), commit())],
    ["a new file", () => write("new", "n")],
    [
      "a new file that the repository's own exclusions hide",
      () => (write(".git/info/exclude", "*"), write("new", "n")),
    ],
    ["a file that git is told to think unchanged", hideChange],
    ["a change of the same size and time", changeInPlace],
  ])("%s", (_, change) => {
    change();
    expect(stops().exitCode).toBe(2);
  });

  it("a new session of the same id that goes on with its context", () => {
    write("answer.txt", "40\n");
    world.run("session-start", "SessionStart-resume");
    expect(stops().exitCode).toBe(2);
  });
});

function hideChange(): void {
  world.git("update-index", "--assume-unchanged", "answer.txt");
  write("answer.txt", "43\n");
}

function changeInPlace(): void {
  const path = join(world.project, "answer.txt");
  const { atime, mtime } = statSync(path);
  write("answer.txt", readFileSync(path, "utf8").replace("1", "7"));
  utimesSync(path, atime, mtime);
}

it("a stop is judged, not let through, where a path cannot be looked at", () => {
  write("folder/a.txt", "a");
  world.git("add", "folder");
  rmSync(join(world.project, "folder"), { recursive: true });
  symlinkSync("folder", join(world.project, "folder"));
  expect(stops()).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("The work is not verified") as string });
});
