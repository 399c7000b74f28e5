/**
 * What is computed from a value that is never written to: once, however often it is asked for. A poll
 * that changes nothing gives the very objects that were there, and most polls change nothing.
 */
export function oncePer<K extends object, V>(compute: (of: K) => V): (of: K) => V {
  const known = new WeakMap<K, V>();
  return (of) => {
    const value = known.get(of) ?? compute(of);
    known.set(of, value);
    return value;
  };
}
