import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type FakeOpencode, openOpencode } from "./fake-opencode.ts";

/** A host in a repository without any check. */
async function openedInRepository(completion: Record<string, boolean> = {}): Promise<FakeOpencode> {
  const host = await openOpencode();
  onTestFinished(() => host.close());
  // The store of the test lies in the project.
  writeFileSync(join(host.directory, ".gitignore"), "/state/\n");
  mkdirSync(join(host.directory, ".ralph"));
  writeFileSync(join(host.directory, ".ralph", "settings.json"), JSON.stringify({ completion }));
  execFileSync("git", ["init", "--quiet"], { cwd: host.directory });
  return host;
}

/** Ends a turn with the claim, and waits until the loop has judged it. */
async function claims(host: FakeOpencode): Promise<void> {
  host.says("All good.\n\n<promise>DONE</promise>");
  await host.idle();
  await host.pass(10_000);
}

const last = (host: FakeOpencode): string => {
  const { title, message } = host.toasts.at(-1) ?? { title: "", message: "" };
  return `${title} ${message}`;
};
const believed = "unverified: met by the claim alone";

it("a loop without checks refuses a claim as long as nothing has changed (R-16)", async () => {
  const host = await openedInRepository();
  await host.command("ralph", '"Fix it"');
  await claims(host);
  expect(JSON.stringify(host.prompts)).toContain("nothing has changed since the run began");
  writeFileSync(join(host.directory, "made"), "");
  await claims(host);
  expect([host.prompts.length, last(host)]).toEqual([1, expect.stringContaining(believed)]);
});

it("a loop without checks takes a claim without a change where completion.requireProgress is false (R-16)", async () => {
  const host = await openedInRepository({ requireProgress: false });
  await host.command("ralph", '"Fix it"');
  await claims(host);
  expect([host.prompts, last(host)]).toEqual([[], expect.stringContaining(believed)]);
});

it("a loop without checks says before the first turn that nothing will be checked, and how to add a check", async () => {
  const host = await openedInRepository();
  await host.command("ralph", '"Fix it"');
  expect(last(host)).toContain("No check is configured");
  expect(last(host)).toContain("ralph init");
});

it("completion.requireChecks starts no loop without checks", async () => {
  const host = await openedInRepository({ requireChecks: true });
  const text = await host.command("ralph", '"Fix it"');
  expect(text).toContain("The Ralph loop was not started. No check is configured");
  expect(await host.command("ralph-status", "")).toContain("No Ralph loop is running");
});
