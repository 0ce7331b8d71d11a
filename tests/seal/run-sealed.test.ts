import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { programFolders } from "../../src/shell/seal/namespace/namespace.ts";
import type { ReportSource } from "../../src/shell/seal/copy/report-file.ts";
import { bubblewrap, type CheckOptions, expectIn, runIn } from "./check-scene.ts";
import { sealScene } from "./seal-scene.ts";

async function open(files: Record<string, string>, change: Record<string, string> = {}): Promise<CheckOptions> {
  const scene = await sealScene(files);
  for (const [name, text] of Object.entries(change)) scene.repository.write(name, text);
  const copy = scene.copy();
  const sealed = await scene.sealed();
  await copy.prepare(sealed);
  return { scene, copy, sealed };
}

/** The command lines of all processes, found without the code under test. */
function commandsOfMachine(): string[] {
  return execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).split("\n");
}

const places: [string, boolean][] = [["in a plain copy", true]];
if (bubblewrap !== null) places.push(["in a namespace", false]);

describe.each(places)("a sealed check %s", (_, isPlain) => {
  it("runs the command in the copy and passes its exit code and output on", async () => {
    const options = { ...(await open({ "src/a": "1", "sub/b": "2" })), isPlain };
    expect(await expectIn("cat src/a; pwd; echo bad >&2; exit 7", 7, options)).toBe(`1${options.copy.folder}\nbad`);
    expect(await expectIn("cat b", 0, { ...options, directory: "sub" })).toBe("2");
    await expectIn("kill -9 $$", 137, options);
  });

  it("has nothing of the user's environment, and an empty home of its own", async () => {
    const hostEnv = { NODE_OPTIONS: "--require x", BASH_ENV: "x", SECRET: "x", LANG: "C.UTF-8", PYTHONPATH: "x" };
    const options = { ...(await open({ "src/a": "1" })), isPlain, hostEnv };
    const output = await expectIn("env; ls -A $HOME $TMPDIR", 0, options);
    expect(output).not.toMatch(/NODE_OPTIONS|BASH_ENV|SECRET|PYTHONPATH/);
    expect(output).toContain("LANG=C.UTF-8");
    expect(output).toContain("CI=1");
    expect(
      await expectIn(
        "ls -A $HOME $XDG_CACHE_HOME 2>/dev/null | wc -w; echo x > $HOME/y; echo x > $TMPDIR/y",
        0,
        options,
      ),
    ).toBe("1");
  });

  it("sees protected files that are rewritten during the run and put back", async () => {
    const cheat =
      "cp tests/expected k && echo 2 > tests/expected && grep -q 2 tests/expected && cat k > tests/expected && rm k";
    const options = { ...(await open({ "tests/expected": "1\n", "src/a": "x" })), isPlain };
    const { end, touched } = await runIn(cheat, options);
    const isRefused = end.kind === "ended" && end.exitCode !== 0 && end.output.includes("Read-only");
    expect([touched, isRefused]).toEqual(isPlain ? [["tests/expected"], false] : [[], true]);
    expect(readFileSync(join(options.copy.folder, "tests/expected"), "utf8")).toBe("1\n");
    expect((await runIn("true", options)).touched).toEqual([]);
  });

  it("lets a suite write what the settings name as writable, and beside its code", async () => {
    const rules = { writable: ["tests/out.txt"] };
    const options = { ...(await open({ "tests/out.txt": "1", "tests/a": "1", "src/a": "x" })), isPlain, rules };
    const { touched } = await runIn(
      "echo 2 > tests/out.txt && mkdir build && echo x > src/new && echo y > src/a",
      options,
    );
    expect(touched).toEqual([]);
    await expectIn("cat tests/out.txt", 0, options);
  });

  it("gives the report that the command wrote, and only that", async () => {
    const options = { ...(await open({ "src/a": "1" })), isPlain };
    const report = ({ reportPath }: { reportPath: string }): ReportSource => ({ kind: "file", path: reportPath });
    const check = async (command: string, expected: unknown): Promise<void> => {
      expect([command, (await runIn(command, { ...options, report })).report]).toEqual([command, expected]);
    };
    await check('echo one > "$REPORT"', { kind: "found", texts: ["one\n"] });
    await check("true", { kind: "none", reason: "missing" });
    await check('ln -s /etc/hosts "$REPORT"', { kind: "none", reason: "not-regular" });
    await check('mkfifo "$REPORT"', { kind: "none", reason: "not-regular" });
    await check('echo one > "$REPORT"; touch -d 2001-01-01 "$REPORT"', { kind: "none", reason: "older-than-run" });
    await check('truncate -s 100M "$REPORT"', { kind: "none", reason: "too-large" });
  });

  it("takes no report that the candidate brought along, and none that lies outside", async () => {
    const options = { ...(await open({ "src/a": "1" }, { "out/report.xml": "forged" })), isPlain };
    const report =
      (path: string) =>
      ({ cwd }: { cwd: string }): ReportSource => ({ kind: "file", path: join(cwd, path) });
    const forged = await runIn("true", { ...options, report: report("out/report.xml") });
    expect(forged.report).toEqual({ kind: "none", reason: "there-before" });
    const outside = join(options.scene.repository.root, "elsewhere");
    mkdirSync(outside);
    writeFileSync(join(outside, "r.xml"), "forged");
    const linked = await runIn(`ln -s '${outside}' made`, { ...options, report: report("made/r.xml") });
    expect(linked.report).toEqual({ kind: "none", reason: "outside" });
    const folder = ({ cwd }: { cwd: string }): ReportSource => ({
      kind: "folder",
      path: join(cwd, "t"),
      ending: ".xml",
    });
    const several = await runIn("mkdir t && echo 1 > t/a.xml && echo 2 > t/b.xml && echo 3 > t/c.txt", {
      ...options,
      report: folder,
    });
    expect(several.report).toEqual({ kind: "found", texts: ["1\n", "2\n"] });
  });

  it("gives the reports in the runner's own folders, and none that this command did not write", async () => {
    const brought = { "out/TEST-forged.xml": "forged" };
    const options = { ...(await open({ "src/a": "1", "tests/out/TEST-fixture.xml": "1" }, brought)), isPlain };
    const report = ({ cwd }: { cwd: string }): ReportSource => ({
      kind: "below",
      path: cwd,
      globs: ["**/out/TEST-*.xml"],
    });
    const check = async (command: string, expected: unknown): Promise<void> => {
      expect([command, (await runIn(command, { ...options, report })).report]).toEqual([command, expected]);
    };
    const missing = { kind: "none", reason: "missing" };
    await check("mkdir -p b/out; echo 1 > out/TEST-a.xml; echo 2 > b/out/TEST-b.xml; echo 3 > out/c.xml", {
      kind: "found",
      texts: ["2\n", "1\n"],
    });
    await check("test -e out/c.xml && test ! -e out/TEST-a.xml && echo 4 > b/out/TEST-d.xml", {
      kind: "found",
      texts: ["4\n"],
    });
    await check("cat out/TEST-forged.xml tests/out/TEST-fixture.xml", missing);
    await check("ln -s /etc/hosts out/TEST-link.xml; ln -s /etc b/c", missing);
    await check("echo 1 > out/TEST-a.xml; touch -d 2001-01-01 out/TEST-a.xml", {
      ...missing,
      reason: "older-than-run",
    });
    await check("truncate -s 100M out/TEST-a.xml", { ...missing, reason: "too-large" });
    const outside = join(options.scene.repository.root, "elsewhere/out");
    mkdirSync(outside, { recursive: true });
    await check(`echo 1 > '${outside}/TEST-a.xml' && ln -s '${outside}' b/d; ln -s '${outside}' out/out`, missing);
  });

  it("runs a suite of Node that lies anywhere on the machine, and gives its report", async () => {
    const test =
      'import { test } from "node:test"; test("adds", () => {}); test("fails", () => { throw new Error("no"); });\n';
    const options = { ...(await open({ "tests/a.test.mjs": test })), isPlain };
    const report = ({ reportPath }: { reportPath: string }): ReportSource => ({ kind: "file", path: reportPath });
    const folders = [dirname(process.execPath)];
    const programs = programFolders({ folders, files: [], home: "/nowhere", hidden: [options.scene.repository.root] });
    const path = `${folders.join(":")}:/usr/bin:/bin`;
    const command = 'node --test --test-reporter=junit --test-reporter-destination="$REPORT" tests/a.test.mjs';
    const ended = await runIn(command, { ...options, path, report, namespace: { programs } });
    expect(ended.end).toMatchObject({ kind: "ended", exitCode: 1 });
    const text = ended.report?.kind === "found" ? ended.report.texts.join("") : JSON.stringify(ended);
    expect(text).toMatch(/testcase name="adds"[\s\S]*testcase name="fails"/);
  });

  it("does not see what a process does to the tree meanwhile", async () => {
    const options = { ...(await open({ "src/a": "1", "tests/a": "1" })), isPlain };
    options.scene.repository.write("src/a", "2");
    options.scene.repository.write("tests/a", "2");
    expect(await expectIn("cat src/a tests/a", 0, options)).toBe("11");
  });

  it("ends with its limit, together with all that it started", async () => {
    const options = { ...(await open({ "src/a": "1" })), isPlain, wallMs: 1_500 };
    const { end } = await runIn("setsid sleep 77 & echo started; sleep 77", options);
    expect(end).toMatchObject({ kind: "ended", isTimedOut: true, exitCode: 124 });
  });

  it("lets a suite ask git", async () => {
    const options = { ...(await open({ "src/a": "1" }, { "src/a": "2" })), isPlain };
    const output = await expectIn(
      "git log --format=%s && git diff --stat HEAD~1 --name-only && git status --porcelain",
      0,
      options,
    );
    expect(output).toBe("The candidate\nfiles\nstart\nsrc/a");
  });
});

describe.skipIf(bubblewrap === null)("a namespace of a sealed check", () => {
  it("shows neither project nor store nor home, and no process of this machine", async () => {
    const options = await open({ "src/a": "1" });
    const { project, root } = options.scene.repository;
    const home = process.env["HOME"] ?? "/nowhere";
    const output = await expectIn(
      `ls '${project}' '${root}/state/streams' '${home}/.profile' /etc/shadow; ls -d /proc/[0-9]* | wc -l`,
      0,
      options,
    );
    expect(output.match(/No such file/g)).toHaveLength(4);
    expect(Number(output.trim().split("\n").at(-1))).toBeLessThan(10);
  });

  it("holds tests that cannot be written, removed, renamed or replaced together with their folders", async () => {
    const options = await open({ "pkg/a/tests/t": "1", "pkg/a/src/s": "1", "src/x.test.js": "1", "src/x.js": "1" });
    for (const command of [
      "echo 2 > pkg/a/tests/t",
      "rm -f pkg/a/tests/t",
      "mv pkg/a/tests pkg/a/old",
      "mv pkg/a pkg/b",
      "mv pkg old",
      "touch pkg/a/tests/new",
      "echo 2 > src/x.test.js",
      "rm -f src/x.test.js",
      "mv src other",
      "chmod 777 pkg/a/tests/t && echo 2 > pkg/a/tests/t",
      "mount -o remount,rw,bind pkg/a/tests",
      "umount pkg/a/tests",
      "unshare -Urm true",
    ]) {
      const { end, output } = await runIn(command, options);
      expect([command, end.kind === "ended" && end.exitCode !== 0, output]).toEqual([command, true, output]);
    }
    await expectIn("echo 2 > src/x.js && echo 2 > pkg/a/src/s && mkdir dist && echo 1 > dist/x", 0, options);
  });

  it("keeps folders with too many single tests read-only as a whole", async () => {
    const files = Object.fromEntries(Array.from({ length: 320 }, (_, index) => [`src/f${index}.test.js`, "1"]));
    const options = await open({ ...files, "src/code.js": "1", "lib/code.js": "1" });
    await expectIn("echo 2 > lib/code.js", 0, options);
    const { end } = await runIn("echo 2 > src/f7.test.js", options);
    expect(end).toMatchObject({ kind: "ended", exitCode: 2 });
  });

  it("has a network of its own with a loopback", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const options = await open({ "src/a": "1" });
    const call = `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port}'`;
    expect((await runIn(call, options)).end).toMatchObject({ exitCode: 1 });
    await expectIn(call, 0, { ...options, namespace: { network: "host" } });
    await expectIn("cat /proc/net/dev | grep -c lo:", 0, options);
  });

  it("ends what a suite leaves behind, daemons without environment included", async () => {
    const options = await open({ "src/a": "1" });
    const seconds = `${process.pid}.${Date.now()}`;
    await expectIn(`env -i setsid sleep ${seconds} & echo ok`, 0, options);
    expect(commandsOfMachine().filter((line) => line.includes(seconds))).toEqual([]);
  });

  it("shows the first process no other environment than the check's", async () => {
    const options = { ...(await open({ "src/a": "1" })), hostEnv: { SECRET: "hidden" } };
    const output = await expectIn("tr '\\0' '\\n' < /proc/1/environ", 0, options);
    expect(output).not.toContain("hidden");
    expect(output).toContain("CI=1");
  });

  it("follows no link of the candidate out of the tree", async () => {
    const scene = await sealScene({ "src/a": "1" });
    const outside = join(scene.repository.root, "outside.txt");
    writeFileSync(outside, "answer");
    symlinkSync(outside, join(scene.repository.project, "src/link"));
    const copy = scene.copy();
    const sealed = await scene.sealed();
    await copy.prepare(sealed);
    expect((await runIn("cat src/link", { scene, copy, sealed })).end).toMatchObject({ exitCode: 1 });
  });
});
