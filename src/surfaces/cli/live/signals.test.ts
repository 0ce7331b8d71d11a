import { expect, it, onTestFinished } from "vitest";
import type { Request } from "../../../core/run/observation.ts";
import { keepSignals, listenToSignals } from "./signals.ts";

it("keeps a signal that comes before the driver of a stored run listens, and counts on from it (R-84)", async () => {
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
  expect(said).toHaveLength(2);
});
