import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { openProject, type ScratchProject, until } from "../run/scratch-project.ts";

type Fields = Record<string, unknown>;

function linesOf(stdout: string): Fields[] {
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Fields);
}

/** A task folder `shop/task-001` with the bus of the task, and the way to it. */
function taskIn(project: ScratchProject): { folder: string; bus: string } {
  project.write("shop/task-001/TASK-MESSAGE-BUS.md", "");
  const folder = join(project.directory, "shop", "task-001");
  return { folder, bus: join(folder, "TASK-MESSAGE-BUS.md") };
}

describe("ralph bus post", () => {
  it("takes a body from standard input byte for byte, and read brings it back (R-91)", async () => {
    const project = openProject();
    const { folder } = taskIn(project);
    const body = `---\nmsg_id: x\r\n\n👩‍🚀 $(touch x) \`y\`\n---\n${"z".repeat(200_000)}\n`;
    const posted = await project.run(["bus", "post", "--type", "FACT", "-C", folder], { stdin: body });
    expect(posted).toMatchObject({ code: 0, stderr: "" });
    expect(posted.stdout).toMatch(/^MSG-\d{8}-\d{6}-\d{9}-PID\d{5,}-\d{4}\n$/);
    const read = await project.run(["bus", "read", "--json", "-C", folder]);
    expect(linesOf(read.stdout)).toEqual([
      {
        msg_id: posted.stdout.trim(),
        ts: expect.stringMatching(/^\d{4}-.*Z$/),
        type: "FACT",
        project_id: "shop",
        task_id: "task-001",
        body,
      },
    ]);
  });

  it("takes fields from flags, then from the path, then from the environment", async () => {
    const project = openProject();
    const { folder } = taskIn(project);
    const env = { JRUN_PROJECT_ID: "env-project", JRUN_TASK_ID: "env-task", JRUN_ID: "env-run" };
    const flags = ["--parent", "MSG-1", "MSG-2:answers", "--link", "https://example.invalid A page", "--meta", "a=b=c"];
    const words = ["bus", "post", "--body", "x", "--task", "flag-task", ...flags, "--json", "-C", folder];
    const [message] = linesOf((await project.run(words, { env })).stdout);
    expect(message).toMatchObject({
      type: "INFO",
      project_id: "shop",
      task_id: "flag-task",
      run_id: "env-run",
      parents: [{ msg_id: "MSG-1" }, { msg_id: "MSG-2", kind: "answers" }],
      links: [{ url: "https://example.invalid", label: "A page" }],
      meta: { a: "b=c" },
    });
    const header = project.read("shop/task-001/TASK-MESSAGE-BUS.md").split("\n---\n")[1] ?? "";
    expect(parse(header)).toMatchObject({ msg_id: message?.["msg_id"], project_id: "shop", body_bytes: 1 });
  });

  it("goes to JRUN_MESSAGE_BUS before all flags, then to --bus, then to the nearest bus", async () => {
    const project = openProject();
    const { folder } = taskIn(project);
    const post = ["bus", "post", "--project", "p", "--body", "x", "-C", folder];
    const env = { JRUN_MESSAGE_BUS: join(project.directory, "env.md") };
    const posted = await project.run([...post, "--bus", "flag.md"], { env });
    expect(posted.stderr).toContain("JRUN_MESSAGE_BUS");
    await project.run([...post, "--bus", "flag.md"]);
    await project.run(post);
    const counts = ["env.md", "flag.md", "shop/task-001/TASK-MESSAGE-BUS.md"].map(
      (path) => project.read(path).match(/^msg_id:/gm)?.length,
    );
    expect(counts).toEqual([1, 1, 1]);
  });

  it.each([
    [["--body", "x", "--bus", "new.md"], "project id"],
    [["--body", "x", "--project", "p"], "no message bus"],
    [["--body", "x", "--project", "p", "--bus", "link.md"], "symbolic link"],
    [["--body", "x", "--project", "p", "--bus", "new.md", "--meta", "novalue"], "--meta"],
    [["--body", "x", "--project", "p", "--bus", "new.md", "--type", " "], "--type"],
    [["--project", "p", "--bus", "new.md"], "UTF-8"],
  ])("refuses row %# with exit 2 and writes nothing", async (words, complaint) => {
    const project = openProject();
    project.write("target.md", "");
    symlinkSync(join(project.directory, "target.md"), join(project.directory, "link.md"));
    const ended = await project.run(["bus", "post", ...words], { stdin: new Uint8Array([0xff, 0xfe, 0x41]) });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(complaint);
    expect(project.has("new.md") || project.read("target.md") !== "").toBe(false);
  });
});

describe("ralph bus read", () => {
  it("shows the last messages, those since one, or those of a type", async () => {
    const project = openProject();
    const post = async (body: string, type: string): Promise<string> =>
      (
        await project.run(["bus", "post", "--project", "p", "--bus", "b.md", "--body", body, "--type", type])
      ).stdout.trim();
    const ids = [await post("one", "INFO"), await post("two\u001B[2J", "FACT"), await post("three", "INFO")];
    const read = async (...words: string[]): Promise<unknown[]> =>
      linesOf((await project.run(["bus", "read", "--bus", "b.md", "--json", ...words])).stdout).map(
        ({ msg_id }) => msg_id,
      );
    expect(await read()).toEqual(ids);
    expect(await read("--tail", "2")).toEqual(ids.slice(1));
    expect(await read("--since", ids[0] ?? "")).toEqual(ids.slice(1));
    expect(await read("--type", "FACT", "--all")).toEqual([ids[1]]);
    const text = (await project.run(["bus", "read", "--bus", "b.md", "--tail", "2"])).stdout;
    expect(text).toContain("FACT");
    expect(text).not.toContain("\u001B");
    const unknown = await project.run(["bus", "read", "--bus", "b.md", "--since", "MSG-nobody"]);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain("has no message MSG-nobody");
    expect((await project.run(["bus", "read", "--bus", "none.md"])).code).toBe(2);
  });

  it("follows what comes until it is interrupted (R-93)", async () => {
    const project = openProject();
    const post = (body: string) => project.run(["bus", "post", "--project", "p", "--bus", "b.md", "--body", body]);
    const following = project.start(["bus", "read", "--bus", "b.md", "--follow", "--json"]);
    await post("one");
    await until(() => linesOf(following.stdout()).length === 1, "the first message");
    await post("two");
    await until(() => linesOf(following.stdout()).length === 2, "the second message");
    following.child.kill("SIGINT");
    expect((await following.ended).code).toBe(0);
    expect(linesOf(following.stdout()).map(({ body }) => body)).toEqual(["one", "two"]);
  });
});

describe("ralph bus discover", () => {
  it("looks upwards for the bus of a task, of a project, then any, and says so when there is none (S3-36)", async () => {
    const project = openProject();
    expect(await project.run(["bus", "discover"])).toMatchObject({ code: 2, stdout: "" });
    const { folder, bus } = taskIn(project);
    mkdirSync(join(folder, "runs", "r-1"), { recursive: true });
    const found = await project.json(["bus", "discover", "-C", join(folder, "runs", "r-1")]);
    expect(found).toEqual({ path: realpathSync(bus), kind: "task", project_id: "shop", task_id: "task-001" });
    project.write("shop/PROJECT-MESSAGE-BUS.md", "");
    const outside = await project.run(["bus", "discover", "-C", join(project.directory, "shop")]);
    expect(outside.stdout.trim()).toBe(join(project.directory, "shop", "PROJECT-MESSAGE-BUS.md"));
  });
});
