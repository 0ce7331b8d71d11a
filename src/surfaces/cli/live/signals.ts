import type { Request } from "../../../core/run/observation.ts";

/** Equal signals within this time count as one: a Ctrl-C may arrive from the terminal and from a launcher. */
const sameSignalMs = 300;

/** How long a program that is already closing may still write and release its locks after a signal. */
const closingMsMax = 4_000;

const interruptedCode = 130;

const signals: NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Signals belong to the process, so this state is global: the present listener, and whether a signal came. */
const hearing = { stop: () => {}, isInterrupted: false };

/**
 * Turns signals into requests: the first lets the current operation finish, the second ends it, and a closed terminal
 * (SIGHUP) ends it at once. `say` tells the person what happens. Returns the function that stops listening; from then
 * on the program is closing, and a signal, also one that came before, ends it with 130 after 4 seconds at most.
 */
export function listenToSignals(say: (line: string) => void, onRequest: (request: Request) => void): () => void {
  const early = kept.splice(0);
  hear((signal, count) => {
    const request = requestOf(signal, early.length + count);
    confirm(say, request);
    onRequest(request);
  });
  // The subscriber has not started yet.
  queueMicrotask(() => early.forEach(onRequest));
  return listenWhileClosing;
}

/** Keeps signals for the next listener: the run is being stored or taken, and its driver has not started. */
export function keepSignals(say: (line: string) => void): void {
  hear((signal, count) => {
    const request = requestOf(signal, count);
    confirm(say, request);
    kept.push(request);
  });
}

const kept: Request[] = [];

/** Tells the person that the signal came, what happens now and what another one does. */
function confirm(say: (line: string) => void, request: Request): void {
  say("Received signal, shutting down...");
  say(
    request === "interrupt"
      ? "  The current operation finishes first. Press Ctrl-C again to end it now."
      : "  The current operation is ended now; its processes get a moment to exit.",
  );
}

function requestOf(signal: NodeJS.Signals, count: number): Request {
  hearing.isInterrupted = true;
  return signal === "SIGHUP" || count > 1 ? "interrupt-now" : "interrupt";
}

/** The exit code of a program that would end with `code`: 130 after an interrupt, whatever the run's outcome. */
export function codeAfterSignals(code: number): number {
  return hearing.isInterrupted ? interruptedCode : code;
}

/** The outcome is stored; the lock and pending output are left. Nobody should wait for them if they hang. */
function listenWhileClosing(): void {
  // The signal that ended the run counts for its closing, too.
  if (hearing.isInterrupted) endSoon();
  hear((_, count) => {
    hearing.isInterrupted = true;
    if (count > 1) process.exit(interruptedCode);
    endSoon();
  });
}

function endSoon(): void {
  setTimeout(() => process.exit(interruptedCode), closingMsMax).unref();
}

/** Replaces the present listener; each signal comes with its count. */
function hear(onSignal: (signal: NodeJS.Signals, count: number) => void): void {
  const lastMs = new Map<string, number>();
  let count = 0;
  const listener = (signal: NodeJS.Signals): void => {
    const now = performance.now();
    // Measured from the last one that counted, so that a key held down is noticed again.
    if (now - (lastMs.get(signal) ?? -Infinity) < sameSignalMs) return;
    lastMs.set(signal, now);
    count += 1;
    onSignal(signal, count);
  };
  for (const signal of signals) process.on(signal, listener);
  // Only now: a pending signal would be lost while nothing listens.
  hearing.stop();
  hearing.stop = () => {
    for (const signal of signals) process.off(signal, listener);
  };
}
