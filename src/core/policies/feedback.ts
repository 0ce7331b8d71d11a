import type { TextRef } from "../checks/verdict.ts";

/** One reason that goes into the next prompt, in the order of design §10. */
export type Feedback =
  | { kind: "guardrail"; index: number; exitCode: number; logFile: string | null; output: TextRef }
  | { kind: "criterion"; name: string; reason: string; output: TextRef }
  | { kind: "task"; text: string }
  | { kind: "unchanged" }
  | { kind: "mentioned" }
  | { kind: "wrong-promise"; found: string; expected: string }
  | { kind: "answer"; text: TextRef };
