/** More than this tells a reader nothing. */
const namesMax = 5;

/** The first names of a list, and how many more there are. */
export function fewNames(names: readonly string[]): string {
  const more = names.length - namesMax;
  return `${names.slice(0, namesMax).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
