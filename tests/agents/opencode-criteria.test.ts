import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Turn } from "./model-dialect.ts";
import { realAgents } from "./real-agent.ts";
import { checkFailureText } from "./scratch.ts";
import { opencodeProgram, openOpencodeWorld } from "./serve-opencode.ts";

const testTimeoutMs = 180_000;
const say = (text: string): Turn => ({ kind: "answer", text });
const shell = (command: string): Turn => ({ kind: "answer", calls: [realAgents.opencode.shell(command)] });
const repair = shell("printf '%s\\n' 'echo $(($1 + $2))' > add.sh");

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
  it.skipIf(opencodeProgram === undefined)(
    "is sent back with what the criterion found, and may end once it is verified (S4-95)",
    { timeout: testTimeoutMs },
    async () => {
      const script = [shell("touch begun"), say("I am done."), repair, say("Now it adds."), say("Good bye.")];
      const { host, model, close } = await openOpencodeWorld(script, { "ralph/criteria.yaml": criteria });
      onTestFinished(close);
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
      expect(model.asked.filter(({ turn }) => turn !== null)).toHaveLength(5);
    },
  );
});
