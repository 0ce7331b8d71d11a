import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Fixture, fixtureNames, openFixture, readManifest } from "./open-fixture.ts";

const withSessions = fixtureNames.filter((name) => readManifest(name).sessions.length > 0);

describe.each(withSessions)("the sessions that %s left", (name) => {
  let fixture: Fixture;
  beforeEach(() => {
    fixture = openFixture(name);
  });
  afterEach(() => fixture.remove());

  it.each(readManifest(name).sessions)(
    "hold back a stop of %s with a red criterion and let a green one go",
    (session) => {
      expect(isHeldBack(fixture, session)).toBe(true);
      writeFileSync(join(fixture.root, "projects", session, "work.txt"), "");
      expect(isHeldBack(fixture, session)).toBe(false);
    },
  );
});

/** Whether the agent is sent back. */
function isHeldBack(fixture: Fixture, session: string): boolean {
  const event = {
    session_id: session,
    transcript_path: join(fixture.root, "home", `${session}.jsonl`),
    cwd: join(fixture.root, "projects", session),
    permission_mode: "default",
    hook_event_name: "Stop",
    stop_hook_active: false,
    last_assistant_message: "All done. <promise>DONE</promise>",
  };
  const { code, stdout } = fixture.ralph(["hook", "stop"], JSON.stringify(event));
  expect(code === 0 || code === 2).toBe(true);
  return code === 2 || stdout.includes("additionalContext");
}
