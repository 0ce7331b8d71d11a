import { parseDuration, unitRemedy } from "../text/duration.ts";
import * as z from "./rule.ts";

/** A duration with its unit, or null for none. */
export const duration = (fallback: string | null, sentence: string, leastMs = 1) =>
  z
    .union([z.string(), z.number(), z.null()])
    .default(fallback)
    .transform((value, context) => {
      const ms = value === null ? null : parseDuration(value);
      const remedy = value === null ? null : unitRemedy(value, JSON.stringify);
      if (remedy !== null) context.addIssue({ message: `a duration needs a unit: ${remedy}` });
      if (value !== null && ms === null)
        context.addIssue({
          message: `${JSON.stringify(value)} is not a duration such as "90s", "30m" or "2h"`,
        });
      if (ms !== null && ms < leastMs)
        context.addIssue({
          message: "a limit of zero would end everything at once; null switches it off",
        });
      return ms;
    })
    // A number is read only to say which unit it lacks.
    .meta({ title: "duration", description: sentence, anyOf: [{ type: "string" }, { const: 0 }, { type: "null" }] });

/** A whole number of at least one. */
export const count = z.int().min(1);
