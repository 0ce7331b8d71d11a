import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runPolicy } from "../../src/core/settings/run/run-policy.ts";
import { settingsSchema } from "../../src/core/settings/settings.ts";
import { resumeRun, type RunConnection, startRun } from "../../src/shell/drivers/start-run.ts";
import { ownEnvironment } from "../../src/shell/wire-store.ts";
import { wire } from "../../src/shell/wire.ts";

it("a surface hears signals for a run before that run is stored or taken, so that none ends a driver with its lock held", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ralph-taking-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));
  const projectDir = join(root, "project");
  mkdirSync(projectDir);
  const machine = await wire({ env: ownEnvironment(), folder: join(root, "state"), killGraceMs: 200 });
  const order: string[] = [];
  const { store } = machine;
  const watched: typeof machine = {
    ...machine,
    store: {
      ...store,
      create: (...given) => (order.push("create"), store.create(...given)),
      take: (...given) => (order.push("take"), store.take(...given)),
    },
  };
  const connection: RunConnection = {
    sink: { entry: () => {}, agentEvent: () => {} },
    onRequest: () => () => {},
    onCheck: () => {},
    onStderr: () => undefined,
    onTaking: () => order.push("taking"),
    onTaken: () => order.push("taken"),
  };
  const settings = settingsSchema.parse({ agent: { command: "true", retryDelay: 0 } });
  const policy = { ...runPolicy(settings), iterationsMax: 1 };
  const prompt = { kind: "text" as const, text: "Do it." };
  const frozen = { version: "1", projectDir, prompt, settings, settingsFiles: {}, policy, startCommit: null };
  const { id } = await startRun(watched, frozen, connection);
  await resumeRun(watched, { runId: id, answer: null, change: { iterationsMax: 2 } }, connection);
  await store.close();
  expect(order).toEqual(["taking", "create", "taken", "taking", "take", "taken"]);
});
