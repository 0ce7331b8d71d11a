import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProject, type ScratchProject } from "./scratch-project.ts";

const scm = { command: "git", tasks: ["commit"] };

/** A project with a tracked file `a.txt` and a folder `src`, where the checks look for words in a file. */
function projectWith(search: string, deed: string, settings: Record<string, unknown>): ScratchProject {
  const project = openProject({ isGit: true });
  project.write("a.txt", "bad\n");
  project.write("src/b.txt", "bad\n");
  project.write(".gitignore", "ignored/\n");
  project.git("add", "--all");
  project.git("commit", "--quiet", "--message", "files");
  const guardrails = [{ command: `grep -q ${search}`, failAction: "APPEND" }];
  const body = `case " $* " in *" text "*) echo Message; exit;; esac\n[ -e ../done ] || { touch ../done; ${deed}; }\nclaim`;
  project.claude(body, { guardrails, maximumIterations: 1, ...settings });
  return project;
}

/** Runs it; the claim must be refused. What the end says about it. */
async function refusalOf(project: ScratchProject): Promise<string> {
  const { code, stderr } = await project.run(["run", "-p", "Do it"]);
  const reason = "The last claim was refused: what is delivered is not what was checked, twice:";
  expect(stderr).toContain(reason);
  expect(code).toBe(1);
  return stderr.slice(stderr.indexOf(reason)).slice(0, 300);
}

describe.each([
  ["with a commit", { scm }],
  ["without one", {}],
])("a link in the place of content, %s", (_, settings) => {
  it.each([
    ["of git", ".git/osrc", "src (a link to .git/osrc"],
    ["of ralph", ".ralph/osrc", "src (a link to .ralph/osrc"],
    ["that git ignores", "ignored", "src (a link to ignored"],
    ["out of the work tree", "../outside", "src (a link to ../outside"],
  ])("never completes a run by what a folder holds that no clone gets: %s", async (_what, folder, words) => {
    const deed = `rm -rf src; mkdir -p ${folder}; echo good > ${folder}/b.txt; ln -s ${folder} src`;
    expect(await refusalOf(projectWith("good src/b.txt", deed, settings))).toContain(words);
  });

  it.each([
    ["a file of git", "rm a.txt; echo good > .git/zz; ln -s .git/zz a.txt", "a.txt (a link to .git/zz"],
    [
      "a chain",
      "mkdir ignored; echo good > ignored/x; ln -s ignored/x next; ln -sf next a.txt",
      "a.txt (a link to next",
    ],
    ["an absolute path", 'rm a.txt; echo good > ../x; ln -s "$(cd ..; pwd)/x" a.txt', "a.txt (a link to /"],
  ])("never completes a run by a link to what no clone gets: %s", async (_what, deed, words) => {
    expect(await refusalOf(projectWith("good a.txt", deed, settings))).toContain(words);
  });

  it("never completes a run by a linked folder with one file that a clone gets and another that it does not get", async () => {
    const deed =
      "mkdir ignored; touch ignored/kept; git add --force ignored/kept; echo good > ignored/b.txt; rm -rf src; ln -s ignored src";
    expect(await refusalOf(projectWith("good src/b.txt", deed, settings))).toContain("src/b.txt (by a link");
  });

  it("completes a run by a link to a file of the same tree, through another link, and by one that leads nowhere", async () => {
    const deed = "echo good > real.txt; ln -s ../real.txt src/next; rm a.txt; ln -s src/next a.txt; ln -s nobody none";
    const project = projectWith("good a.txt", deed, settings);
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toContain("Claim accepted in iteration 1");
    expect(code).toBe(0);
  });
});

const person = "-c user.name=A -c user.email=a@example.org";
const inner = `git init -q lib; echo good > lib/x; git -C lib add x; git -C lib ${person} commit -qm x; git add lib`;
const named = `git config -f .gitmodules submodule.lib.path lib; git config -f .gitmodules submodule.lib.url https://example.invalid/x.git`;

describe.each([
  ["with a commit", { scm }],
  ["without one", {}],
])("a commit of another repository, %s", (_, settings) => {
  it("never completes a run by a submodule that the run added, whatever .gitmodules says", async () => {
    const project = projectWith("good lib/x", `${inner}; ${named}; git add .gitmodules; git commit -qm lib`, settings);
    expect(await refusalOf(project)).toContain("lib (only a link to commit ");
  });

  it("never completes a run by a commit that the run made in a submodule", async () => {
    const deed = `echo good > lib/x; git -C lib ${person} commit -qam y; git add lib; git commit -qm lib`;
    const project = projectWith("good lib/x", deed, settings);
    addModule(project, "bad");
    expect(await refusalOf(project)).toMatch(/lib \(only a link to commit \w{12} of another repository/);
  });

  it("completes a run beside a submodule that another commit was checked out in before the first turn", async () => {
    const project = projectWith("good a.txt", "echo good > a.txt; git add lib", settings);
    addModule(project, "one");
    project.git("-C", "lib", ...person.split(" "), "commit", "--quiet", "--allow-empty", "--message", "two");
    const { code, stderr } = await project.run(["run", "-p", "Do it", "--allow-dirty"]);
    expect(stderr).toContain("Claim accepted in iteration 1");
    expect(code).toBe(0);
  });
});

function addModule(project: ScratchProject, content: string): void {
  project.write("lib/x", `${content}\n`);
  project.git("init", "--quiet", "lib");
  project.git("-C", "lib", "add", "x");
  project.git("-C", "lib", ...person.split(" "), "commit", "--quiet", "--message", "x");
  project.git("-c", "advice.addEmbeddedRepo=false", "add", "lib");
  project.git("commit", "--quiet", "--message", "lib");
}

describe.each([
  ["with a commit", { scm }],
  ["without one", {}],
])("a conversion of git, %s", (_, settings) => {
  it.each([
    ["ident", "good a.txt", `echo 'a.txt ident' > .gitattributes; echo '$Id: good $' > a.txt`],
    ["line ends", "$(printf '\\r') a.txt", `echo '* text eol=lf' > .gitattributes; printf 'good\\r\\n' > a.txt`],
    ["other line ends", "-v $(printf '\\r') a.txt", `echo 'a.txt text eol=crlf' > .gitattributes; echo good > a.txt`],
    ["an encoding", "good a.txt", `echo 'a.txt working-tree-encoding=UTF-7' > .gitattributes; echo good > a.txt`],
    [
      "attributes that are not delivered",
      "$(printf '\\r') a.txt",
      `mkdir ignored; mv a.txt ignored; echo '* text eol=crlf' > ignored/.gitattributes; printf 'good\\r\\n' > ignored/a.txt; git add --force ignored/a.txt; ln -s ignored/a.txt a.txt`,
    ],
  ])("never completes a run by %s that a checkout writes otherwise", async (_what, place, deed) => {
    expect(await refusalOf(projectWith(place, deed, settings))).toMatch(/a\.txt \(a checkout /);
  });

  it("never completes a run by attributes that convert a file which the run left alone", async () => {
    const project = projectWith("-v $(printf '\\r') a.txt", "echo 'a.txt text eol=crlf' > .gitattributes", settings);
    expect(await refusalOf(project)).toContain("a.txt (a checkout ");
  });

  it.each([
    ["text=auto and line feeds", "* text=auto", "echo good > a.txt"],
    ["eol=crlf and carriage returns", "a.txt text eol=crlf", "printf 'good\\r\\n' > a.txt"],
    [
      "ident and a hash",
      "* ident",
      `echo good > a.txt; echo '$Id: e69de29bb2d1d6434b8b29ae775ad8c2e48c5391 $' >> a.txt`,
    ],
    ["a filter of the user", "*.txt filter=own", "echo good > a.txt"],
    ["an encoding", "a.txt working-tree-encoding=UTF-16LE-BOM", "printf '\\377\\376g\\0o\\0o\\0d\\0' > a.txt"],
  ])("completes a run beside the project's own attributes: %s", async (_what, attributes, deed) => {
    const project = projectWith("good b.txt", `echo good > b.txt; ${deed}`, settings);
    project.git("rm", "--quiet", "a.txt");
    project.git("config", "filter.own.clean", "tr a-z A-Z");
    project.write(".gitattributes", `${attributes}\n`);
    project.git("add", ".gitattributes");
    project.git("commit", "--quiet", "--message", "attributes");
    // What the user has there, the user's own git writes.
    project.git("rm", "--cached", "--quiet", "-r", ".");
    project.git("add", "--all");
    const { code, stderr } = await project.run(["run", "-p", "Do it", "--allow-dirty"]);
    expect(stderr).toContain("Claim accepted in iteration 1");
    expect(code).toBe(0);
  });
});

it("completes a run beside a link out of the work tree that the start commit holds", async () => {
  const project = projectWith("good a.txt", "echo good > a.txt", { scm });
  symlinkSync("../agents", join(project.directory, "old"));
  project.git("add", "old");
  project.git("commit", "--quiet", "--message", "a link");
  expect((await project.run(["run", "-p", "Do it"])).code).toBe(0);
});
