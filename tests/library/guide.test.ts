import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { runLoop } from "../../src/index.ts";
import { openFolder } from "./open-folder.ts";

const guide = readFileSync(join(import.meta.dirname, "../../docs/guide/library.md"), "utf8");

type Example = (given: object) => Promise<void>;

it("runs the guide's example of a loop as it is written, but for the agent and the project", async () => {
  const example = /```ts\n(import { runLoop[^]*?)```/.exec(guide)?.[1] ?? "";
  const projectDir = openFolder({ "package.json": '{ "scripts": { "test": "true" } }' });
  const said: unknown[] = [];
  const given = {
    runLoop: (options: Parameters<typeof runLoop>[0]) => {
      // A function tells no cost.
      const settings = { ...options.settings, budget: {} };
      const agent = () => "<promise>DONE</promise>";
      return runLoop({ ...options, projectDir, stateFolder: openFolder(), agent, settings });
    },
    countTodos: () => Promise.resolve(0),
    console: { log: (value: unknown) => said.push(value) },
  };
  const file = join(openFolder(), "example.mjs");
  const body = example.replace(/^import .*\n/m, "");
  writeFileSync(file, `export default async ({ runLoop, countTodos, console }) => {\n${body}\n};\n`);
  const { default: run }: { default: Example } = await import(/* @vite-ignore */ pathToFileURL(file).href);
  await run(given);
  expect(said.at(-1)).toBe("completed");
});
