import { expect, it } from "vitest";
import { completion, external, openWork } from "../work/open-work.ts";

const needed = ["--outcome", "An old session is refused", "--acceptance", "The old cookie is answered with 401"];

it("ralph task follow-up adds a task after another one, with criteria of its own (S2-52)", async () => {
  const work = openWork();
  await work.tasks({ id: "auth-1", spec: "login", completion: completion({ coder: external("CODED", "make") }) });
  const words = ["task", "follow-up", "auth-1", "Sign out", ...needed, "--same-checks"];
  expect(await work.json(words)).toMatchObject({
    id: "auth-1-2",
    spec: "login",
    title: "Sign out",
    dependencies: ["auth-1"],
    waitsFor: ["auth-1"],
    metadata: { followUpOf: "auth-1" },
    completion: { outcome: "An old session is refused", coder: { verification_config: { command: "make" } } },
  });
  const again = await work.run(["task", "follow-up", "auth-1", ...needed, "--depends-on", "auth-1-2"]);
  expect(again).toMatchObject({ code: 0, stdout: "Task auth-1-3 is stored. Look at it: ralph task show auth-1-3\n" });
  expect(await work.json(["task", "show", "auth-1-3"])).toMatchObject({ dependencies: ["auth-1", "auth-1-2"] });
});

it("ralph task follow-up refuses an unknown task, an id in use and a missing outcome (S2-50, S2-52)", async () => {
  const work = openWork();
  await work.tasks({ id: "auth-1" });
  const refused = async (words: string[], sentence: string) => {
    const { code, stderr } = await work.run(["task", "follow-up", ...words]);
    expect({ code, isSaid: stderr.includes(sentence) }).toEqual({ code: 2, isSaid: true });
  };
  await refused(["auth-2", ...needed], "Did you mean auth-1?");
  await refused(["auth-1", "--id", "auth-1", ...needed], "There is already a task auth-1.");
  await refused(["auth-1"], 'For example: ralph task follow-up auth-1 "What is next" --outcome');
});

it("ralph task follow-up of a failed task takes its work over (S2-52)", async () => {
  const work = openWork();
  work.worker("echo x >> made.txt; claim");
  const coder = external("CODED", "test -e never", { max_iterations: 1 });
  await work.tasks({ id: "auth-1", completion: completion({ coder }) });
  expect((await work.run(["work", "--roles", "coder"])).code).toBe(1);
  expect((await work.run(["task", "follow-up", "auth-1"])).code).toBe(0);
  const shown = await work.json(["task", "show", "auth-1-2"]);
  expect(shown).toMatchObject({ status: "ready", waitsFor: [], completion: { outcome: "It works." } });
  expect(shown["description"]).toContain("Takes over task auth-1 (A task), which failed: exhausted: Max iterations");
});
