/** States what must hold. A failure is our own bug, never a fact about the world. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}
