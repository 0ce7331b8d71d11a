import type { Request } from "../../core/engine/observation.ts";

/** Equal signals nearer than this count as one: a Ctrl-C may arrive from the terminal and from a launcher. */
const sameSignalMs = 300;

/**
 * Turns signals into requests: the first lets the operation at work finish, the second ends it, and a closed terminal
 * (SIGHUP) ends it at once. `say` tells the person that it was heard. Returns the function that stops listening.
 */
export function listenToSignals(say: (line: string) => void, onRequest: (request: Request) => void): () => void {
  const lastMs = new Map<string, number>();
  let count = 0;
  const hear = (signal: NodeJS.Signals): void => {
    const now = performance.now();
    // Measured from the last one that counted: a key held down is heard again, too.
    if (now - (lastMs.get(signal) ?? -Infinity) < sameSignalMs) return;
    lastMs.set(signal, now);
    count += 1;
    say("Received signal, shutting down...");
    onRequest(signal === "SIGHUP" || count > 1 ? "interrupt-now" : "interrupt");
  };
  const signals: NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, hear);
  return () => {
    for (const signal of signals) process.off(signal, hear);
  };
}
