/** What is known of the signatures of a receipt. */
export type SignatureFacts = {
  isSigned: boolean;
  /** Ids of known keys whose signatures hold. */
  signedBy: readonly string[];
  /** Keys that the caller named: one of them must have signed. Empty: any key of this user will do. */
  wanted: readonly string[];
  /** The checks are run again, which proves more than any signature; or the caller does not ask for one. */
  isUnsignedAllowed: boolean;
};

/** Why nobody known vouches for a receipt, or null when somebody does or nobody has to. */
export function judgeSignature({ isSigned, signedBy, wanted, isUnsignedAllowed }: SignatureFacts): string | null {
  if (wanted.length > 0 && !signedBy.some((id) => wanted.includes(id)))
    return "It is not signed by the key that was given.";
  if (signedBy.length > 0 || isUnsignedAllowed) return null;
  return isSigned
    ? "It is signed by a key that is not known here. Give its public key with --key, or run the checks again with --rerun."
    : "It is not signed. Run the checks again with --rerun, or accept that nobody vouches for it with --allow-unsigned.";
}
