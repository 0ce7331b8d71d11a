import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Turn } from "./model-dialect.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import { installedPrograms, realAgents } from "./real-agent.ts";
import { endLivingIn, runRalph } from "./run-ralph.ts";
import { checkFailureText, createScratch } from "./scratch.ts";
import { type OpencodeServer, serveOpencode } from "./serve-opencode.ts";

const program = installedPrograms().opencode;
const testTimeoutMs = 180_000;
const say = (text: string): Turn => ({ kind: "answer", text });
const shell = (command: string): Turn => ({ kind: "answer", calls: [realAgents.opencode.shell(command)] });
const repair = shell("printf '%s\\n' 'echo $(($1 + $2))' > add.sh");

const releases: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const release of releases.splice(0).toReversed()) await release();
});

/** The real program, with the plugin installed, in a project whose criterion is its own check. */
async function served(script: readonly Turn[]): Promise<{ host: OpencodeServer; model: ModelServer }> {
  const scratch = createScratch({});
  const model = await startModelServer(script);
  releases.push(async () => {
    endLivingIn(scratch);
    await model.close();
    scratch.remove();
  });
  const words = ["plugin", "install", "opencode", "--project"];
  const installed = await runRalph({ scratch, words, environment: {}, timeoutMs: testTimeoutMs });
  expect(installed.exitCode).toBe(0);
  mkdirSync(join(scratch.project, "ralph"));
  writeFileSync(join(scratch.project, "ralph", "criteria.yaml"), criteria);
  const environment = realAgents.opencode.prepare(scratch, model.url);
  const host = await serveOpencode({ program: program ?? "", scratch, environment });
  releases.push(() => host.close());
  return { host, model };
}

const criteria = `outcome: It adds.
acceptance_criteria:
  - add.sh adds
coder:
  promise: DONE
  description: It adds
  verification_method: external
  verification_config: { command: sh check.sh }
`;

describe("the real opencode in a project with criteria, without a loop", () => {
  it.skipIf(program === undefined)(
    "is sent back with what the criterion found, and may end once it is verified (S4-95)",
    { timeout: testTimeoutMs },
    async () => {
      const { host, model } = await served([say("I am done."), repair, say("Now it adds."), say("Good bye.")]);
      const session = await host.open();
      await host.ask(session, "Repair add.sh");
      await vi.waitFor(async () => expect((await host.texts(session)).at(-1)).toBe("assistant: Now it adds."), {
        timeout: 90_000,
        interval: 200,
      });
      const prompts = (await host.texts(session)).filter((text) => text.startsWith("user: "));
      expect(prompts).toHaveLength(2);
      expect(prompts[1]).toMatch(/^user: The work is not verified \(ralph\/criteria\.yaml\):/);
      expect(prompts[1]).toContain(checkFailureText);
      // A person's next word is answered by the next line of the script: nobody spoke in between.
      await host.ask(session, "Thank you.");
      expect((await host.texts(session)).at(-1)).toBe("assistant: Good bye.");
      expect(model.asked.filter(({ turn }) => turn !== null)).toHaveLength(4);
    },
  );
});
