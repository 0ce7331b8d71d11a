/** Where a project keeps its criteria. */
export const criteriaPath = "ralph/criteria.yaml";
