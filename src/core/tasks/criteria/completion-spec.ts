import type { Role } from "./role.ts";

/** The four methods to verify a claim (S2-01), and `custom` for a project's own. */
export const verificationMethods = ["string_match", "semantic", "external", "multi_stage", "custom"] as const;
export type VerificationMethod = (typeof verificationMethods)[number];

/** In `check_for`, stands for the task's own acceptance criteria (S2-40, CW-2H). */
export const acceptancePlaceholder = "{{acceptance_criteria}}";

/** How a claim is verified; one shape per method, defaults filled in. */
export type Verification =
  | {
      method: "string_match";
      /** Null: the criterion's promise. */
      promise: string | null;
      /** Searches the agent's words instead of a tag (CW-2A). */
      isLoose: boolean;
    }
  | {
      method: "semantic";
      checkFor: string[];
      negativePatterns: NegativePattern[];
      /** Null: the judge's own setting, else the agent's model. */
      model: string | null;
    }
  | {
      method: "external";
      command: string;
      successExitCode: number;
      outputContains: string | null;
      outputNotContains: string | null;
      timeoutMs: number;
      /** Relative to the work tree; must not leave it (CW-2I). */
      workingDir: string;
    }
  | {
      method: "multi_stage";
      stages: Stage[];
      requireAll: boolean;
      /** At most this many stages at once; 1: in order. */
      parallelMax: number;
    }
  | {
      method: "custom";
      /** A module path or an argv; exactly one is given. */
      module: string | null;
      command: string[] | null;
      config: Record<string, unknown>;
      timeoutMs: number;
    };

/** A text (any letter case) or a regular expression to find in the output, the diff or the changed files (CW-2N). */
export type NegativePattern = { pattern: string; isRegex: boolean; scope: "output" | "diff" | "files" };

/** One stage of `multi_stage`; at most three levels deep (CW-2G). */
export type Stage = {
  name: string;
  isRequired: boolean;
  /** Never answered from the cache. */
  isAlways: boolean;
  verification: Verification;
};

/** What one role must claim, and how the claim is verified (S2-02). */
export type Criterion = {
  promise: string;
  description: string;
  /** Null: the role's default (S2-43). */
  maxIterations: number | null;
  verification: Verification;
};

/** What done means for a task, fixed when the task is created (S2-03, S2-06). */
export type CompletionSpec = {
  outcome: string;
  acceptanceCriteria: string[];
  criteria: Partial<Record<Role, Criterion>>;
  /** Limits of roles without a criterion of their own; absent: none. */
  limits?: Partial<Record<Role, number>>;
};
