import { postMessage } from "../../src/shell/bus/post-message.ts";
import { createProcesses } from "../../src/shell/processes/processes.ts";
import { realClock } from "../../src/shell/lib/real-clock.ts";
import { createDisk } from "../../src/shell/lib/disk.ts";

// Posts `count` messages `<name> <number>` and what makes them long, waiting for nothing in between.
const [path = "", name = "", count = "0", rotateBytes = "0", paddingBytes = "0"] = process.argv.slice(2);
const writing = {
  files: createDisk(),
  clock: realClock,
  identities: createProcesses(),
  rotateBytes: Number(rotateBytes) === 0 ? Number.POSITIVE_INFINITY : Number(rotateBytes),
};
const padding = "\n---\nmsg_id: x\n".repeat(Math.ceil(Number(paddingBytes) / 15));
for (let number = 0; number < Number(count); number += 1) {
  await postMessage(path, { type: "INFO", projectId: "shop", body: `${name} ${number}${padding}` }, writing);
}
