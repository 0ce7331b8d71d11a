import { describe, expect, it } from "vitest";
import { commandTree } from "../tree/command-tree.ts";
import { completedCommands } from "./completed-command.ts";

describe("the command tree as shells complete it", () => {
  const commands = completedCommands(commandTree);
  const find = (path: string) => commands.find((command) => command.path === path);

  it("reads options in commander's notation (S1-81)", () => {
    const options = find("run")?.options ?? [];
    const option = (long: string) => options.find((each) => each.long === long);
    expect(option("--prompt-file")).toMatchObject({ short: "-f", value: { name: "path", kind: "file" } });
    expect(option("--project-dir")).toMatchObject({ short: "-C", value: { name: "dir", kind: "folder" } });
    expect(option("--max-cost")).toMatchObject({ short: null, value: { name: "usd", kind: "text" } });
    expect(option("--no-stream-agent-output")).toMatchObject({ short: null, value: null });
    expect(option("--help")).toMatchObject({ short: "-h", value: null });
  });

  it("has every command, also those below others, with the words that may follow (S1-81)", () => {
    expect(find("")?.words.map(({ word }) => word)).toEqual(commandTree.map(({ name }) => name));
    expect(find("settings show")).toBeDefined();
    expect(find("completions")?.words.map(({ word }) => word)).toEqual(["bash", "zsh", "fish"]);
    expect(find("sim")).toMatchObject({ options: [], takesFiles: true });
  });
});
