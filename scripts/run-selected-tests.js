// A child of the fault runner: runs exactly the tests it is told and writes what they showed into a file.
// Usage: node run-selected-tests.js ROOT REQUEST_FILE ANSWER_FILE
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { createVitest } from "vitest/node";
import { collectTests } from "./collect-tests.js";
import { listBrokenFiles, listTests } from "./test-results.js";

const [root, requestFile, answerFile] = process.argv.slice(2);
const request = JSON.parse(readFileSync(requestFile, "utf8"));

const answer = request.selected === null ? await collectTests(root) : await run(request.selected, request.bail);
writeFileSync(answerFile, JSON.stringify(answer));
process.exit(0);

async function run(selected, bail) {
  const vitest = await createVitest("test", { root, watch: false, run: true, reporters: [{}], cache: false, bail });
  const project = vitest.getRootProject();
  const files = [...new Set(selected.map((test) => test.file))];
  const specifications = files.map((file) => {
    const testNames = selected.filter((test) => test.file === file).map((test) => test.name);
    return project.createSpecification(resolve(root, file), { testNames });
  });
  await vitest.standalone();
  const { unhandledErrors } = await vitest.runTestSpecifications(specifications);
  const wanted = new Set(selected.map((test) => `${test.file} ${test.name}`));
  const tests = listTests(vitest).filter((test) => wanted.has(`${test.file} ${test.name}`));
  return { tests, brokenFiles: listBrokenFiles(vitest), unhandledErrors: unhandledErrors.map(String) };
}
