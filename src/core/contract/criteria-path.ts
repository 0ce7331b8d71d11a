/** The file of the project's criteria for every surface, relative to the project. */
export const criteriaPath = "ralph/criteria.yaml";
