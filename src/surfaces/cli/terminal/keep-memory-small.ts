import { setFlagsFromString } from "node:v8";

/**
 * Keeps the memory for short-lived objects as small as it was at the start. A long stream would let it grow to 100 MB
 * without being read any faster, and every program that is started copies the tables of all this memory first.
 */
export function keepMemorySmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}
