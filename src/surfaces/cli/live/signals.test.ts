import { expect, it, onTestFinished } from "vitest";
import type { Request } from "../../../core/run/observation.ts";
import { keepSignals, listenToSignals } from "./signals.ts";

it("keeps a signal that comes before the driver of a stored run listens, counts on from it, and says what happens and what a second one does (R-84)", async () => {
  const before = new Set(process.listeners("SIGTERM"));
  onTestFinished(() => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      for (const listener of process.listeners(signal)) if (!before.has(listener)) process.off(signal, listener);
  });
  const said: string[] = [];
  const requests: Request[] = [];
  keepSignals((line) => said.push(line));
  process.emit("SIGTERM", "SIGTERM");
  listenToSignals(
    (line) => said.push(line),
    (request) => requests.push(request),
  );
  await Promise.resolve();
  expect(requests).toEqual(["interrupt"]);
  process.emit("SIGINT", "SIGINT");
  expect(requests).toEqual(["interrupt", "interrupt-now"]);
  expect(said).toEqual([
    "Received signal, shutting down...",
    "  The current operation finishes first. Press Ctrl-C again to end it now.",
    "Received signal, shutting down...",
    "  The current operation is ended now; its processes get a moment to exit.",
  ]);
});
