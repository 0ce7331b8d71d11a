/** What every property test begins with: the same cases each time, others with `RALPH_PROPERTY_SEED`. A failure prints it. */
export const propertySeed = Number(process.env["RALPH_PROPERTY_SEED"] ?? 20261115);
