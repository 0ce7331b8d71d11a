import { createVitest } from "vitest/node";
import { listBrokenFiles, listTests } from "./test-results.js";

/**
 * All tests below `root` by their real titles, also those made from table rows. The files are loaded for that, no test
 * is run. `brokenFiles` could not be loaded; their tests are unknown.
 */
export async function collectTests(root, filters = []) {
  const vitest = await createVitest("test", { root, watch: false, run: true, reporters: [{}], cache: false });
  try {
    await vitest.collect(filters, { staticParse: false });
    return { tests: listTests(vitest), brokenFiles: listBrokenFiles(vitest) };
  } finally {
    await vitest.close();
    // A broken file is part of the answer, not a failure of this process.
    process.exitCode = 0;
  }
}
