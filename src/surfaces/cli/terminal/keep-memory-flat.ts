import { setFlagsFromString } from "node:v8";

/**
 * Keeps V8 from growing its space for young objects, which a flood of agent output would drive above 100 MB (seen with
 * Node 24). What is parsed of a line is garbage at once, so a small space is as fast; and every program that is started
 * copies the tables of all this memory first. Call it before a run begins.
 */
export function keepMemoryFlat(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}
