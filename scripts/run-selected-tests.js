// A child of the fault runner that keeps vitest open: it collects or runs exactly the tests it is told, one request after another.
// What it has loaded stays transformed; it reads again only the files that a request names as changed.
import { resolve } from "node:path";
import { createVitest } from "vitest/node";
import { listBrokenFiles, listTests } from "./test-results.js";

const [root] = process.argv.slice(2);
const vitest = await createVitest("test", {
  root,
  watch: false,
  run: true,
  reporters: [{}],
  cache: false,
  fsModuleCache: false,
});
await vitest.standalone();

process.on("message", (request) => void answer(request));
process.on("disconnect", () => process.exit(0));
process.send("ready");

async function answer(request) {
  for (const file of request.changed) vitest.invalidateFile(resolve(root, file));
  process.send(request.collect ? await collect(request.collect) : await run(request.selected, request.bail));
}

/** Loads these files to learn the titles of their tests, also those made from table rows; runs nothing. */
async function collect(files) {
  const paths = new Set(files.map((file) => resolve(root, file)));
  const all = await vitest.globTestSpecifications();
  await vitest.collectTests(all.filter((specification) => paths.has(specification.moduleId)));
  return describe(paths);
}

async function run(selected, bail) {
  for (const project of vitest.projects) project.config.bail = bail;
  const files = Map.groupBy(selected, (test) => test.file);
  const specifications = [...files].map(([file, tests]) => {
    const project = vitest.projects.find(({ name }) => name === tests[0].project);
    return project.createSpecification(resolve(root, file), { testNames: tests.map((test) => test.name) });
  });
  const { unhandledErrors } = await vitest.runTestSpecifications(specifications);
  const { tests, brokenFiles } = describe(new Set([...files.keys()].map((file) => resolve(root, file))));
  const wanted = new Set(selected.map((test) => `${test.file} ${test.name}`));
  return {
    tests: tests.filter((test) => wanted.has(`${test.file} ${test.name}`)),
    brokenFiles,
    unhandledErrors: unhandledErrors.map(String),
  };
}

/** What these files showed; vitest remembers the files of earlier requests too. */
function describe(paths) {
  const isMeant = (file) => paths.has(resolve(root, file));
  return {
    tests: listTests(vitest).filter((test) => isMeant(test.file)),
    brokenFiles: listBrokenFiles(vitest).filter((line) => isMeant(line.split(": ")[0])),
  };
}
