import { writeSync } from "node:fs";
import { createDisk } from "../../src/shell/lib/disk.ts";
import { createFileArtefacts } from "../../src/shell/stores/file-artefacts.ts";

// Puts one of two texts in turn until it is killed, writing a line after each.
const [folder = ""] = process.argv.slice(2);
const artefacts = createFileArtefacts({ folder, disk: createDisk() });
for (let count = 0; ; count += 1) {
  await artefacts.put({ runId: "a", kind: "turn-text", name: "1" }, (count % 2 === 0 ? "x" : "y").repeat(300_000));
  writeSync(1, `${count}\n`);
}
