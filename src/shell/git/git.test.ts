import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRepository, scratchRunId } from "../../../tests/git/scratch-repository.ts";
import { createGit, readHead } from "./git.ts";
import { trustedPath } from "./git-environment.ts";

describe("a call of git", () => {
  it("never starts the project's own git", async () => {
    const scene = openRepository();
    const folder = join(scene.project, "node_modules/.bin");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "git"), "#!/bin/sh\necho fooled\n");
    chmodSync(join(folder, "git"), 0o755);
    const env = { ...scene.env, PATH: `node_modules/.bin:${folder}:${scene.env["PATH"] ?? ""}` };
    const git = createGit({ ...scene.place, env }, { turnMarker: `${scratchRunId}.1` });
    expect(await readHead(git)).toBe(scene.git("rev-parse", "HEAD"));
  });

  it("is held to the repository of its directory, whatever the environment or core.worktree says", async () => {
    const scene = openRepository();
    scene.git("config", "core.worktree", scene.root);
    const env = { ...scene.env, GIT_DIR: "/nowhere", GIT_INDEX_FILE: "/nowhere/index" };
    const git = createGit({ ...scene.place, env }, { turnMarker: `${scratchRunId}.1` });
    expect((await git(["status", "--porcelain"])).stdout).toBe("");
    expect((await git(["rev-parse", "--show-toplevel"])).stdout.trim()).toBe(scene.project);
  });

  it("fetches no object that is missing by a program of the repository", async () => {
    const scene = openRepository();
    const trap = scene.program("trap", `touch '${scene.root}/sprung'`);
    const object = scene.git("rev-parse", "HEAD:a.txt");
    const settings = { promisor: "true", url: scene.project, uploadpack: trap };
    for (const [key, value] of Object.entries(settings)) scene.git("config", `remote.evil.${key}`, value);
    scene.git("config", "protocol.file.allow", "always");
    scene.git("config", "core.repositoryFormatVersion", "1");
    scene.git("config", "extensions.partialClone", "evil");
    rmSync(join(scene.project, ".git/objects", object.slice(0, 2), object.slice(2)));
    const git = createGit(scene.place, { turnMarker: `${scratchRunId}.1` });
    expect((await git(["cat-file", "-p", object])).exitCode).not.toBe(0);
    expect(scene.place.disk.look(join(scene.root, "sprung"))).toBeNull();
  });

  it("starts neither a monitor nor a hook, and signs nothing", async () => {
    const scene = openRepository();
    const trap = scene.program("trap", `touch '${scene.root}/sprung'`);
    for (const key of ["core.fsmonitor", "gpg.program"]) scene.git("config", key, trap);
    scene.git("config", "commit.gpgsign", "true");
    writeFileSync(join(scene.project, ".git/hooks/pre-commit"), `#!/bin/sh\n${trap}\n`, { mode: 0o755 });
    const git = createGit(scene.place, { turnMarker: `${scratchRunId}.1` });
    scene.write("a.txt", "two\n");
    expect((await git(["commit", "--quiet", "--all", "--message", "two"])).exitCode).toBe(0);
    expect(scene.place.disk.look(join(scene.root, "sprung"))).toBeNull();
  });

  it("ends with its signal, together with all it started", async () => {
    const scene = openRepository();
    const abort = new AbortController();
    const git = createGit(scene.place, { turnMarker: `${scratchRunId}.1`, signal: abort.signal });
    const call = git(["-c", "alias.hang=!sleep 60", "hang"]);
    abort.abort();
    expect((await call).exitCode).toBe(-1);
  });
});

describe("the search path of git", () => {
  it.each([
    ["/usr/bin:/bin", "/usr/bin:/bin"],
    [".:bin::/usr/bin", "/usr/bin"],
    ["/project/bin:/project:/usr/bin:/project-of-mine/bin", "/usr/bin:/project-of-mine/bin"],
    ["/usr/../project/bin:/usr/bin", "/usr/bin"],
  ])("of %s", (path, trusted) => {
    expect(trustedPath(path, ["/project"])).toBe(trusted);
  });
});
