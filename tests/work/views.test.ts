import { expect, it } from "vitest";
import { until } from "../run/scratch-project.ts";
import { completion, external, onWord, openWork } from "./open-work.ts";

it("shows a work run with its roles: task, role, iteration and last verification (S2-53, S2-55, S2-07)", async () => {
  const work = openWork();
  work.worker(
    'echo "$iteration" >> made.txt; [ "$iteration" = 2 ] && touch "$root/second" && while [ ! -e "$root/go" ]; do sleep 0.02; done; claim',
    { work: { roles: ["coder"] } },
  );
  const coder = external("CODED", "test -e ../go", { max_iterations: 4 });
  await work.tasks(
    { id: "a-1", title: "First", completion: completion({ coder }) },
    { id: "b-1", completion: completion({ coder: onWord("CODED") }) },
  );
  const started = work.start(["work"]);
  await until(() => work.has("../second"), "the second iteration");
  const { stdout } = await work.run(["status"]);
  const [, first, topic, role, about, check] = stdout.split("\n");
  expect(first).toMatch(/^\S+ {4}0 of 2 tasks done {2}- /);
  expect(topic).toBe("  a-1: First; b-1: A task");
  expect(role).toMatch(/^ {2}\S+ {2}agent at work +2\/4 /);
  expect([about, check]).toEqual([
    "    coder of a-1: First",
    expect.stringContaining("    checks red: Command exited"),
  ]);
  const [shown] = await work.works();
  expect(shown?.children).toMatchObject([
    { task: "a-1", role: "coder", round: 1, iteration: 2, maxIterations: 4, work: shown?.id },
  ]);
  work.write("../go", "");
  expect((await started.ended).code).toBe(0);
  const whole = (await work.run(["show", shown?.id ?? ""])).stdout;
  expect(whole).toContain(`Work ${shown?.id} in `);
  expect(whole).toContain("completed, unverified: 2 of 2 tasks done.");
  expect(await work.works()).toMatchObject([{ isVerified: false }]);
  expect(whole).toContain("  Done means:\n    for each task, every role claims and its own criterion holds");
  expect(whole).toMatch(
    /Task a-1: First\n {2}done .*\n {2}coder, round 1 {2}run \S+ {2}iteration 2\/4 {2}last verification: checks green/,
  );
});

it("says everything in lines of JSON, each with its task and role", async () => {
  const work = openWork();
  work.worker("echo x >> made.txt; claim", { work: { roles: ["coder"] } });
  await work.tasks({ id: "a-1", completion: completion({ coder: onWord("CODED") }) });
  const { stdout } = await work.run(["work", "--json"]);
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines[0]).toMatchObject({ kind: "work" });
  expect(
    lines.filter(({ kind }) => kind === "step").every(({ task, role }) => task === "a-1" && role === "coder"),
  ).toBe(true);
  expect(lines.find(({ kind }) => kind === "task")).toMatchObject({ id: "a-1", status: "done" });
  expect(lines.at(-1)).toMatchObject({ kind: "outcome", outcome: "completed", exitCode: 0 });
});

it("calls a work run verified whose tasks rest on evidence, in status and in its last line of JSON", async () => {
  const work = openWork();
  work.worker("echo x >> made.txt; claim", { work: { roles: ["coder"] } });
  await work.tasks({ id: "a-1", completion: completion({ coder: external("CODED", "test -e made.txt") }) });
  const { stdout } = await work.run(["work", "--json"]);
  expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toMatchObject({ outcome: "completed", isVerified: true });
  expect(await work.works()).toMatchObject([{ outcome: "completed", isVerified: true }]);
});
