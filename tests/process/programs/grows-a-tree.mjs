import { spawn } from "node:child_process";

// Starts the named kinds of descendants, says so and lives on.
const kinds = {
  child: ["sleep 300", false],
  daemon: ["sleep 300", true],
  grandchildren: ["sleep 300 & sleep 300 & wait", false],
  "daemon-with-children": ["sleep 300 & sleep 300 & wait", true],
  orphan: ["(sleep 300 &)", false],
  "orphaned-daemon": ["(sleep 300 &)", true],
  "stubborn-daemon": ["trap '' TERM; while :; do sleep 0.02; done", true],
};
for (const kind of process.argv.slice(2)) {
  const [script, detached] = kinds[kind];
  spawn("sh", ["-c", script], { detached, stdio: "ignore" });
}
console.log("ready");
setInterval(() => undefined, 1000);
