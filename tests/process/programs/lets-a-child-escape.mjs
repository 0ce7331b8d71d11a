import { spawn } from "node:child_process";

// Own session, no variable, parent gone at once: nothing tells any more whose it is.
spawn("sh", ["-c", "sleep 300 & echo $!"], { detached: true, env: {}, stdio: ["ignore", "inherit", "ignore"] });
