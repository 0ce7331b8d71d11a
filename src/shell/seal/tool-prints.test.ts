import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { compareToolPrints, readToolPrints, sealedPath } from "./tool-prints.ts";

function openFolders() {
  const root = mkdtempSync(join(tmpdir(), "ralph-tools-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const program = (name: string, text: string): string => {
    const path = join(root, name);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const place = { path: `${root}/local:${root}/bin`, directory: root };
  return { root, program, place };
}

describe("prints of tools", () => {
  it("are the same while nobody changes a program", async () => {
    const { program, place } = openFolders();
    program("bin/tool", "echo 1");
    const sealed = await readToolPrints(["tool", "absent", "tool"], place);
    expect(sealed.map(({ name, path }) => [name, path])).toEqual([
      ["tool", join(place.directory, "bin/tool")],
      ["absent", null],
    ]);
    expect(compareToolPrints(sealed, await readToolPrints(["tool", "absent"], place, sealed))).toEqual([]);
  });

  it("show a program that now stands before the sealed one, and one that was not there", async () => {
    const { root, program, place } = openFolders();
    program("bin/tool", "echo 1");
    const sealed = await readToolPrints(["tool", "new"], place);
    program("local/tool", "exit 0");
    program("local/new", "exit 0");
    const problems = compareToolPrints(sealed, await readToolPrints(["tool", "new"], place, sealed));
    expect(problems).toEqual([
      `tool is now ${root}/local/tool, it was ${root}/bin/tool.`,
      `new is now ${root}/local/new, it was missing.`,
    ]);
  });

  it("show a program whose content changed although its size and time did not", async () => {
    const { program, place } = openFolders();
    program("bin/tool", "echo 1");
    const sealed = await readToolPrints(["tool"], place);
    program("bin/tool", "echo 2");
    const problems = compareToolPrints(sealed, await readToolPrints(["tool"], place, sealed));
    expect(problems).toEqual([expect.stringMatching(/^tool .* has another content/)]);
  });

  it("show a link that leads elsewhere, also when both files are equal", async () => {
    const { root, program, place } = openFolders();
    const [first, second] = [program("real/one", "echo 1"), program("real/two", "echo 1")];
    mkdirSync(join(root, "bin"));
    symlinkSync(first, join(root, "bin/tool"));
    const sealed = await readToolPrints(["tool"], place);
    rmSync(join(root, "bin/tool"));
    symlinkSync(second, join(root, "bin/tool"));
    const problems = compareToolPrints(sealed, await readToolPrints(["tool"], place, sealed));
    expect(problems).toEqual([`tool leads to ${second}, it led to ${first}.`]);
  });
});

describe("the sealed search path", () => {
  it("has no entry below home that is empty or absent, and leads the project's entries into the copy", () => {
    const { root, program } = openFolders();
    program("home/.cargo/bin/cargo", "echo");
    mkdirSync(join(root, "home/.local/bin"), { recursive: true });
    const home = join(root, "home");
    const path = `${home}/.local/bin:${home}/bin:${home}/.cargo/bin:.:node_modules/.bin:${home}/p/node_modules/.bin:/usr/bin:/usr/bin`;
    const rules = { home, project: join(home, "p"), copy: "/copy/p" };
    expect(sealedPath(path, rules)).toBe(`${home}/.cargo/bin:/copy/p/node_modules/.bin:/usr/bin`);
  });
});
