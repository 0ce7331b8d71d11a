import { unknownMethod } from "../../core/verification/verification-texts.ts";
import { type Verification, verificationMethods } from "../../core/tasks/criteria/completion-spec.ts";
import { type Found, found } from "./found.ts";
import { verifyCustom } from "./verify-custom.ts";
import { verifyExternal } from "./verify-external.ts";
import { verifySemantic } from "./verify-semantic.ts";
import { verifyStages } from "./verify-stages.ts";
import { verifyStringMatch } from "./verify-string-match.ts";
import type { VerificationRun } from "./verification-run.ts";

/** Where in a criterion a verification stands. */
type Place = { label: string; isAlways: boolean };

/** Verifies a claim by whatever method it was given: all are one kind of check with one kind of finding. */
export async function verifyCriterion(verification: Verification, run: VerificationRun, place: Place): Promise<Found> {
  if (run.signal.aborted) return "cut";
  // Frozen by another version of this program, perhaps: a failure, never a crash (S2-41).
  if (!verificationMethods.includes(verification.method)) return found(false, unknownMethod(verification.method));
  switch (verification.method) {
    case "string_match":
      return verifyStringMatch(verification, run);
    case "semantic":
      return verifySemantic(verification, run, place.label);
    case "external":
      return verifyExternal(verification, run, place);
    case "custom":
      return verifyCustom(verification, run, place.label);
    case "multi_stage":
      return verifyStages(verification, (stage) =>
        verifyCriterion(stage.verification, run, { label: stage.name, isAlways: place.isAlways || stage.isAlways }),
      );
  }
}
