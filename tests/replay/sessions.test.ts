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
      expect(stop(fixture, session)).toMatchObject({ code: 2 });
      writeFileSync(join(fixture.root, "projects", session, "work.txt"), "");
      expect(stop(fixture, session)).toMatchObject({ code: 0 });
    },
  );
});

function stop(fixture: Fixture, session: string): { code: number | null } {
  const event = {
    session_id: session,
    transcript_path: join(fixture.root, "home", `${session}.jsonl`),
    cwd: join(fixture.root, "projects", session),
    permission_mode: "default",
    hook_event_name: "Stop",
    stop_hook_active: false,
    last_assistant_message: "All done. <promise>DONE</promise>",
  };
  return fixture.ralph(["hook", "stop"], JSON.stringify(event));
}
