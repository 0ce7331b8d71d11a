import { appendFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { postMessage } from "../src/shell/bus/post-message.ts";
import { createProcesses } from "../src/shell/processes/processes.ts";
import { realClock } from "../src/shell/lib/real-clock.ts";
import { createDisk } from "../src/shell/lib/disk.ts";

const disk = createDisk();

// Says `ready`, and after a line of input appends `count` messages to a file and says `done`.
const [how = "", path = "", count = "0"] = process.argv.slice(2);
const body = "Tests of the module pass; going on with the next one.";
const writing = { files: disk, clock: realClock, identities: createProcesses(), rotateBytes: Number.POSITIVE_INFINITY };
const plainEntry = `\n---\nts: 2026-01-02T03:04:05.678Z\ntype: PROGRESS\nproject_id: shop\n---\n${body}\n`;

process.stdout.write("ready\n");
for await (const _ of createInterface({ input: process.stdin })) {
  for (let number = 0; number < Number(count); number += 1) {
    if (how === "plain") await appendFile(path, plainEntry);
    else await postMessage(path, { type: "PROGRESS", projectId: "shop", body }, writing);
  }
  process.stdout.write("done\n");
  break;
}
