import { spawn } from "node:child_process";

const daemon = spawn("sleep", ["300"], { detached: true, stdio: "ignore" });
daemon.unref();
console.log(daemon.pid);
