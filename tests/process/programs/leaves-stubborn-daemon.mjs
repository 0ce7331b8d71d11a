import { spawn } from "node:child_process";

const script = "trap '' TERM; echo ready; while :; do sleep 0.05; done";
const daemon = spawn("sh", ["-c", script], { detached: true, stdio: ["ignore", "pipe", "ignore"] });
daemon.stdout.once("data", () => {
  console.log(daemon.pid);
  process.exit(0);
});
