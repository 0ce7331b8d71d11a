import type { TextRef } from "../verification/verdict.ts";

/** How a red check stood before the first turn. The word changes, the gate never does. */
export type BaselineLabel = "baseline-broken" | "regressed";

/** One reason that goes into the next prompt. */
export type Feedback =
  | {
      /** A red check told by its output: a command. */
      kind: "output";
      name: string;
      exitCode: number;
      logFile: string | null;
      output: TextRef;
      label?: BaselineLabel;
    }
  /** A red check told by its reason. */
  | { kind: "reason"; name: string; reason: string; output: TextRef; label?: BaselineLabel }
  /** A sentence of a gate. */
  | { kind: "note"; text: string }
  | { kind: "unchanged" }
  | { kind: "mentioned" }
  | { kind: "wrong-promise"; found: string; expected: string }
  | { kind: "answer"; text: TextRef };
