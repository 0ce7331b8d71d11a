import { raiseVersion } from "./raise-version.ts";

/** Verdicts of version 7 also say whether they are sealed, for which tree, and what the tests showed; earlier ones were not. */
export const fromVersion6 = raiseVersion(7);
