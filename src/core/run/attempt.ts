/** How one iteration's claim fared, for the next prompt and the closing sentence (S2-14, CW-2O). */
export type Attempt = { iteration: number; isClaimed: boolean; isVerified: boolean; reason: string };
