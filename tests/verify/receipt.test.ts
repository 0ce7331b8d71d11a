import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commitAll, openVerifyProject } from "./verify-project.ts";

const honest = { answer: "42\n" };
const check = ["verify", "main..topic", "--check-receipt", "../receipt.json"];

describe("a receipt", () => {
  it("is signed with the user's key, and holds for its own commits alone", async () => {
    const project = openVerifyProject(honest);
    const { stdout: id } = await project.run(["keys", "create"]);
    const written = await project.run(["verify", "main..topic", "--receipt", "../receipt.json"]);
    expect([written.code, written.stderr]).toEqual([0, expect.stringContaining(`signed by key ${id.slice(0, 12)}.`)]);
    const held = await project.run(check);
    expect([held.code, held.stdout]).toEqual([0, expect.stringContaining("receipt.json holds.")]);
    const again = await project.run([...check, "--rerun"]);
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("receipt.json holds.")]);
    commitAll(project, "the same tree");
    expect((await project.run(check)).code).toBe(0);
    project.write("answer", "43\n");
    commitAll(project, "another tree");
    const other = await project.run(check);
    expect([other.code, other.stdout]).toEqual([1, expect.stringContaining("The candidate is")]);
    const base = await project.run(["verify", "topic~1..topic~2", "--check-receipt", "../receipt.json"]);
    expect([base.code, base.stdout]).toEqual([1, expect.stringContaining("The tree of the base is")]);
  });

  it("that nobody signed counts only when the checks run again, or when that is wanted", async () => {
    const project = openVerifyProject(honest);
    const written = await project.run(["verify", "main..topic", "--receipt", "../receipt.json"]);
    expect(written.stderr).toContain("unsigned. Make a key with: ralph keys create");
    const refused = await project.run(check);
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining("It is not signed.")]);
    expect((await project.run([...check, "--allow-unsigned"])).code).toBe(0);
    expect((await project.run([...check, "--rerun"])).code).toBe(0);
  });

  it("is not written for commits that are refused", async () => {
    const project = openVerifyProject({ "check.sh": "true\n" });
    const { code, stderr } = await project.run(["verify", "main..topic", "--receipt", "../receipt.json"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("No receipt was written")]);
    expect(project.has("../receipt.json")).toBe(false);
  });

  it("of a sealed run is kept with the run, and names its journal", async () => {
    const project = openVerifyProject({});
    const settings = JSON.parse(project.read(".ralph/settings.json")) as Record<string, unknown>;
    project.claude("echo 42 > answer; git commit -qam done; claim", { ...settings, seal: { checks: "claims" } });
    commitAll(project, "settings");
    await project.run(["keys", "create"]);
    const run = await project.run(["run", "-p", "Answer."]);
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining("Receipt: ")]);
    const path = /Receipt: (\S+),/.exec(run.stderr)?.[1] ?? "";
    const held = await project.run(["verify", "HEAD~1..HEAD", "--check-receipt", path]);
    expect([held.code, held.stdout]).toEqual([0, expect.stringContaining("holds.")]);
    const { id } = (await project.json(["show"])) as { id: string };
    const again = await project.run(["verify", id]);
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("verified: ")]);
  });
});

describe("ralph keys", () => {
  it("makes, lists, exports and removes keys outside of the project, for their owner alone", async () => {
    const project = openVerifyProject({});
    const { stdout } = await project.run(["keys", "create"]);
    const id = stdout.trim();
    expect((await project.run(["keys", "list"])).stdout).toBe(stdout);
    expect((await project.run(["keys", "export", id.slice(0, 8)])).stdout).toContain("BEGIN PUBLIC KEY");
    const file = join(project.root, "home/.config/ralph/keys", `${id}.pem`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await project.run(["keys", "remove", "none"])).code).toBe(2);
    expect((await project.run(["keys", "remove", id])).code).toBe(0);
    const none = await project.run(["keys", "list"]);
    expect([none.stdout, none.stderr]).toEqual(["", expect.stringContaining("ralph keys create")]);
  });
});
