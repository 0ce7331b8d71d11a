import { expect, it } from "vitest";
import { programName } from "./program-name.ts";

it.each([
  ["agent", "agent"],
  ["/usr/local/bin/agent", "agent"],
  ["./agent.sh", "agent.sh"],
  ["C:\\Tools\\Agent.EXE", "Agent"],
  ["", ""],
])("calls %j the program %j", (command, expected) => expect(programName(command)).toBe(expected));
