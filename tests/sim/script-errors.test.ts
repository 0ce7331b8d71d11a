import { readdirSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openSimFolder } from "./sim-process.ts";

describe("an invalid script or call is exit 2, names file, line and remedy, and does nothing", () => {
  it.each([
    [
      "turns:\n  - - edit: { file: a.txt, content: x }\n    - sya: hello\n",
      "../sim.yaml:3",
      'there is no step "sya"',
      '"say"',
    ],
    ["turns:\n  - - say: hello\n      chunk: 3\n", "../sim.yaml:3", '"say" does not know "chunk"', '"chunks"'],
    ["turns:\n  - - say:\n", "../sim.yaml:2", '"say" has no "text"', 'Add "text"'],
    ["turns:\n  - - say: a\n      chunks: many\n", "../sim.yaml:3", '"chunks" of "say" is "many"', "whole number"],
    [
      "turns:\n  - - edit: { file: /etc/motd, content: x }\n",
      "../sim.yaml:2",
      '"/etc/motd"',
      "inside the working directory",
    ],
    [
      "turns:\n  - - edit: { file: a/../../b, content: x }\n",
      "../sim.yaml:2",
      '"a/../../b"',
      "inside the working directory",
    ],
    ["turns:\n  - - claim: { tag: promis }\n", "../sim.yaml:2", '"promis"', "promise, response"],
    ["turns:\n  - - wait: soon\n", "../sim.yaml:2", '"soon"', '"2s"'],
    ["turns:\n  - - crash: SIGNOPE\n", "../sim.yaml:2", '"SIGNOPE"', "SIGKILL"],
    ["turns:\n  - - exit: 256\n", "../sim.yaml:2", "256", "0 to 255"],
    ["turns:\n  - - hang: 5\n", "../sim.yaml:2", '"until" of "hang" is 5', "killed"],
    ["turns:\n  - - echo: words\n", "../sim.yaml:2", '"echo" does not know', "no options"],
    ["turns:\n  - - constructor\n", "../sim.yaml:2", 'there is no step "constructor"', "Steps are: say"],
    ["turns:\n  - say: hello\n", "../sim.yaml:2", '"turn" does not know "say"', "steps"],
    ["turns:\n  - when: x\n", "../sim.yaml:2", "a turn has no steps", '"steps:"'],
    ["turns: []\n", "../sim.yaml:1", "there are no turns", '"turns:"'],
    ["aftr: stop\nturns: [[claim]]\n", "../sim.yaml:1", '"aftr"', '"after"'],
    ["turns:\n  - [say\n", "../sim.yaml:", "not YAML", "docs/sim.md"],
    ["just words", "../sim.yaml:1", "a script is a map", '"turns:"'],
  ])("refuses %j", async (script, place, message, remedy) => {
    const folder = openSimFolder(script);
    const { code, stdout, stderr } = await folder.play();
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain(place);
    expect(stderr).toContain(message);
    expect(stderr).toContain(remedy);
    expect(readdirSync(folder.cwd)).toEqual([]);
  });

  it("names a script that is not there", async () => {
    const { code, stderr } = await openSimFolder("turns: [[claim]]").play({ args: ["--script", "nope.yaml"] });
    expect(code).toBe(2);
    expect(stderr).toContain("nope.yaml");
  });

  it.each([
    [["--format", "codx"], 'Did you mean "codex"?'],
    [["--nope"], "--nope"],
  ])("refuses %j", async (args, message) => {
    const { code, stdout, stderr } = await openSimFolder("turns: [[claim]]").play({ args });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });

  it("refuses a state file that holds no number", async () => {
    const folder = openSimFolder("turns: [[claim]]");
    writeFileSync(`${folder.cwd}/bad.turn`, "three");
    const { code, stderr } = await folder.play({ args: ["--state", "bad.turn"] });
    expect(code).toBe(2);
    expect(stderr).toContain('holds "three", not a number');
  });

  it("prints its help", async () => {
    const { code, stdout } = await openSimFolder("").play({ args: ["--help"] });
    expect(code).toBe(0);
    expect(stdout).toContain("Example: ralph sim --script sim.yaml");
  });
});
