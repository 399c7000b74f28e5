/** The path to a value in a document. */
export type Path = readonly (string | number)[];

export function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys: Path = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  const members = value as Record<string | number, unknown>;
  return [path, ...keys.flatMap((key) => pathsOf(members[key], [...path, key]))];
}

/** A copy in which the value at the path is another one; `undefined` takes it away. */
export function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined || typeof value !== 'object' || value === null) return by;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  const inner = replaced(copy[key], rest, by);
  if (inner === undefined && !Array.isArray(copy)) Reflect.deleteProperty(copy, key);
  else copy[key] = inner;
  return copy;
}
