import { type ClaimReport, noClaims } from "../claims/claim-report.ts";
import { createClaimScanner } from "../claims/claim-scanner.ts";
import { createEchoFilter } from "../claims/strip-echo.ts";
import { type SessionMessage, textOf } from "./session-message.ts";

/** Whether a text claims the promise, by the rules of every claim (S0-16, CB-01). */
export function detectCompletionPromise(text: string, promise: string): boolean {
  return claimsInMessages([{ role: "assistant", content: text }], { promise, prompts: [] }).isPromised;
}

/** Whether the agent's own words, from message `since` on, claim the promise (S0-19, CW-0A). */
export function detectInMessages(messages: readonly SessionMessage[], promise: string, since = 0): boolean {
  return claimsInMessages(messages.slice(since), { promise, prompts: [] }).isPromised;
}

/** What the agent's own words claim. An exact echo of a prompt is not its own. */
export function claimsInMessages(
  messages: readonly SessionMessage[],
  { promise, prompts }: { promise: string; prompts: readonly string[] },
): ClaimReport {
  if (promise.trim() === "") return noClaims;
  const scanner = createClaimScanner({ expected: promise, placement: "own-sentence", signals: ["promise"] });
  messages.forEach((message, index) => {
    if (message.role !== "assistant") return;
    scanner.text(prompts.reduce(withoutEcho, textOf(message)), String(index));
  });
  return scanner.report();
}

function withoutEcho(text: string, prompt: string): string {
  const filter = createEchoFilter(prompt);
  return filter.text(text) + filter.end();
}
