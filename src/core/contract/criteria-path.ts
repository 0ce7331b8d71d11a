/** Where a project keeps criteria that hold on every surface, relative to it. */
export const criteriaPath = "ralph/criteria.yaml";
