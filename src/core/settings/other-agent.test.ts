import { describe, expect, it } from "vitest";
import { withoutOtherAgent } from "./other-agent.ts";
import { parseSettings } from "./parse-settings.ts";

const file = {
  source: "file",
  value: { agent: { command: "first", flags: ["--of-first"], model: "model-1", retryDelay: "3s" } },
};

function check(given: object, expected: object): void {
  const layers = withoutOtherAgent([file], [{ source: "command line", value: { agent: given } }]);
  expect(parseSettings(layers).agent).toMatchObject(expected);
}

describe("another agent than the settings have", () => {
  it("gets neither flags nor model of theirs, and keeps the rest", () =>
    check({ command: "second" }, { command: "second", flags: [], model: null, retryDelay: 3000 }));

  it("keeps what it is given itself", () =>
    check({ command: "second", model: "model-2" }, { command: "second", flags: [], model: "model-2" }));

  it.each(["first", "/usr/bin/first", "C:\\bin\\first.cmd"])("is not the same program under the name %s", (command) =>
    check({ command }, { command, flags: ["--of-first"], model: "model-1" }),
  );

  it("is not meant by a flag about something else", () => check({ model: "model-2" }, { flags: ["--of-first"] }));

  it("is the first one, where the settings name none", () => {
    const layers = withoutOtherAgent(
      [{ source: "file", value: { agent: { flags: ["--any"] } } }],
      [{ source: "command line", value: { agent: { command: "first" } } }],
    );
    expect(parseSettings(layers).agent.flags).toEqual(["--any"]);
  });

  it("is named as the source of what it drops", () => {
    const [, dropped] = withoutOtherAgent(
      [file],
      [{ source: "command line", value: { agent: { command: "second" } } }],
    );
    expect(dropped?.source).toBe("command line");
  });
});
