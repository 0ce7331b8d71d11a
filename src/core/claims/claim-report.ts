/** The claims found in one turn's main-thread text, already reduced to what the gates need. */
export type ClaimReport = {
  /** The text of the first `<response>` claim; it decides alone. */
  response: string | null;
  /** A `<promise>` claim equal to the expected text was made. */
  isPromised: boolean;
  /** The first `<promise>` claim with another text. */
  wrongPromise: string | null;
  /** The reason of a `<promise>BLOCKED: …</promise>` claim. */
  blocked: string | null;
  /** The question of a `<promise>DECIDE: …</promise>` claim. */
  question: string | null;
  /** The reason of a `<promise>REJECT: …</promise>` claim; a wrong promise too, where nobody may reject. */
  rejected: string | null;
  /** The expected tag was written somewhere, but not as a claim. */
  isMentioned: boolean;
};

/** A turn that claimed nothing. */
export const noClaims: ClaimReport = {
  response: null,
  isPromised: false,
  wrongPromise: null,
  blocked: null,
  question: null,
  rejected: null,
  isMentioned: false,
};
