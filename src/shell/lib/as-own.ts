/** Names the type of a value that this store wrote itself, out of the agents' reach; nothing else may be passed. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type
export function asOwn<Value>(value: unknown): Value {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its type was checked when it was written
  return value as Value;
}
