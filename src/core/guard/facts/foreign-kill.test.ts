import { expect, it } from "vitest";
import { judgeCommand } from "../judge-command.ts";
import type { CallContext } from "./call-context.ts";

const place: CallContext = { workTree: "/w", home: "/h", tempFolder: "/tmp", cwd: "/w", store: "/s", allow: [] };

it.each([
  ["pkill ralph", "block"],
  ["pkill -f '[r]alph'", "block"],
  ["pkill -f 'claude|vite'", "block"],
  ["pkill node", "block"],
  ["pkill -f 'npm run dev'", "warn"],
  ["pkill -f vite", "warn"],
  ["pkill -u bob", "block"],
  ["pkill sshd", "block"],
  ["pkill -f .", "block"],
  ["pgrep -f vite | xargs kill", "allow"],
  ["pgrep . | xargs kill", "block"],
  ["kill $(pgrep -u bob)", "block"],
])("tells one's own programs from services, everybody's and all (S4-89): %s", (command, expected) => {
  expect(judgeCommand(command, place).decision).toBe(expected);
});
