import type { Moment, Observation } from "./observation.ts";

/** An observation before whoever hears it stamps it with the time. */
export type News = Observation extends infer Each
  ? Each extends Observation
    ? Omit<Each, keyof Moment>
    : never
  : never;
