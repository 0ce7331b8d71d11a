import { spawn } from "node:child_process";

// In a session of its own and without any variable: only its parent tells whose it is.
const child = spawn("sleep", ["300"], { detached: true, stdio: "ignore", env: {} });
child.unref();
const life = setInterval(() => undefined, 1000);
process.once("SIGUSR2", () => clearInterval(life));
console.log(child.pid);
