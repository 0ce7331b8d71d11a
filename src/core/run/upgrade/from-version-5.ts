import { raiseVersion } from "./raise-version.ts";

/**
 * Version 6 stores nothing else. Its rules give other orders: denied edits are looked for in every turn, other reasons of a refusal
 * count as progress of a role, and outcomes name how the last turn failed.
 */
export const fromVersion5 = raiseVersion(6);
