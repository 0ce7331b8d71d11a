import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProject, type ScratchProject } from "./scratch-project.ts";

/** An `amp` that leaves a mark and claims, in the stream that ralph reads. */
function projectWithAmp(): { project: ScratchProject; started: string } {
  const project = openProject();
  const command = join(project.root, "agents", "amp");
  const started = join(project.root, "started");
  writeFileSync(command, `#!/bin/sh\ntouch ${started}\nprintf '%s\\n' '${answer}'\n`);
  chmodSync(command, 0o755);
  project.settings({ agent: { command }, completion: { requireProgress: false } });
  return { project, started };
}

const answer = JSON.stringify({
  type: "result",
  subtype: "success",
  is_error: false,
  result: "<promise>DONE</promise>",
});

describe("an agent that waits for a login when it has none", () => {
  it("is not started, and the run ends with exit 2 and the variable to set", async () => {
    const { project, started } = projectWithAmp();
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toContain("AMP_API_KEY is not set");
    expect(code).toBe(2);
    expect(existsSync(started)).toBe(false);
    expect(await project.json(["status"])).toMatchObject({ runs: [{ outcome: "failed", iteration: 0 }] });
  });

  it("is started with the variable, or with a login of its own", async () => {
    const withKey = projectWithAmp();
    const keyed = await withKey.project.run(["run", "-p", "Do it"], { env: { AMP_API_KEY: "k" } });
    expect([keyed.code, existsSync(withKey.started)]).toEqual([0, true]);

    const withLogin = projectWithAmp();
    const folder = join(withLogin.project.root, "home", ".local", "share", "amp");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "secrets.json"), "{}");
    expect((await withLogin.project.run(["run", "-p", "Do it"])).code).toBe(0);
  });
});
