/** Names a message by its id. One without an id stands in a line of its own and gets a name that no other one has. */
export function createMessageNames(): (id: string | null) => string {
  let unnamed = 0;
  return (id) => {
    if (id !== null) return id;
    unnamed += 1;
    return `unnamed-${unnamed}`;
  };
}
