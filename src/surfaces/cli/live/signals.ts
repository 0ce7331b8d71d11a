import type { Request } from "../../../core/run/observation.ts";

/** Equal signals nearer than this count as one: a Ctrl-C may arrive from the terminal and from a launcher. */
const sameSignalMs = 300;

/** How long a signal lets a program close that has nothing left to do but to write and to release what it holds. */
const closingMsMax = 4_000;

const interruptedCode = 130;

const signals: NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Signals belong to the process, so this is one for all: what hears them now, and whether one came. */
const hearing = { stop: () => {}, isInterrupted: false };

/**
 * Turns signals into requests: the first lets the operation at work finish, the second ends it, and a closed terminal
 * (SIGHUP) ends it at once. `say` tells the person that it was heard. Returns the function that stops listening; from
 * then on the program is closing, and a signal ends it with 130 at the latest after 4 seconds.
 */
export function listenToSignals(say: (line: string) => void, onRequest: (request: Request) => void): () => void {
  const early = kept.splice(0);
  hear((signal, count) => {
    say("Received signal, shutting down...");
    onRequest(requestOf(signal, early.length + count));
  });
  // Whoever subscribes has not begun yet.
  queueMicrotask(() => early.forEach(onRequest));
  return listenWhileClosing;
}

/** Keeps signals for whoever listens next: the run is stored, and its driver is not yet at work. */
export function keepSignals(say: (line: string) => void): void {
  hear((signal, count) => {
    say("Received signal, shutting down...");
    kept.push(requestOf(signal, count));
  });
}

const kept: Request[] = [];

function requestOf(signal: NodeJS.Signals, count: number): Request {
  hearing.isInterrupted = true;
  return signal === "SIGHUP" || count > 1 ? "interrupt-now" : "interrupt";
}

/** The exit code of a program that would end with `code`: who interrupts it hears so, whatever the run still came to. */
export function codeAfterSignals(code: number): number {
  return hearing.isInterrupted ? interruptedCode : code;
}

/** The outcome is stored: what is left is to release the lock and to write. Nobody waits for that when it hangs. */
function listenWhileClosing(): void {
  hear((_, count) => {
    hearing.isInterrupted = true;
    if (count > 1) process.exit(interruptedCode);
    setTimeout(() => process.exit(interruptedCode), closingMsMax).unref();
  });
}

/** Hears signals in place of whoever heard them before, each with how many there were. */
function hear(onSignal: (signal: NodeJS.Signals, count: number) => void): void {
  const lastMs = new Map<string, number>();
  let count = 0;
  const listener = (signal: NodeJS.Signals): void => {
    const now = performance.now();
    // Measured from the last one that counted: a key held down is heard again, too.
    if (now - (lastMs.get(signal) ?? -Infinity) < sameSignalMs) return;
    lastMs.set(signal, now);
    count += 1;
    onSignal(signal, count);
  };
  for (const signal of signals) process.on(signal, listener);
  // Only now: a signal on its way is lost while nobody at all listens.
  hearing.stop();
  hearing.stop = () => {
    for (const signal of signals) process.off(signal, listener);
  };
}
