import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** A setup takes half a minute; ten minutes is a slow network, more is a fault worth naming. */
const waitMsMax = 10 * 60_000;

/** A lock file still without its pid after this long belongs to a process that died while writing it. */
const emptyMsMax = 5_000;

/** Runs `work` while holding `file`, so that two setups in one checkout do not run `npm ci` over each other. */
export function withLock(file, work) {
  mkdirSync(dirname(file), { recursive: true });
  take(file);
  process.on("exit", () => rmSync(file, { force: true }));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(130));
  work();
}

function take(file) {
  const givenUpAt = Date.now() + waitMsMax;
  let isAnnounced = false;
  while (!tryTake(file)) {
    if (isStale(file)) {
      rmSync(file, { force: true });
      continue;
    }
    if (Date.now() > givenUpAt) throw new Error(`another setup holds ${file} for ten minutes; remove it to go on`);
    if (!isAnnounced) process.stderr.write("setup: waiting for another setup in this checkout …\n");
    isAnnounced = true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
}

function tryTake(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

function isStale(file) {
  try {
    const pid = Number(readFileSync(file, "utf8"));
    return pid > 0 ? !isAlive(pid) : Date.now() - statSync(file).mtimeMs > emptyMsMax;
  } catch {
    return false;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
