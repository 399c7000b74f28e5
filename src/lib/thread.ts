import { Worker } from 'node:worker_threads';
import type { ResourceLimits } from 'node:worker_threads';

/** A thread that runs a file of ours. From source, tsx has to be started in it, too: on Node 20 it stays in the first one. */
export function threadOf(entry: URL, resourceLimits: ResourceLimits): Worker {
  if (!entry.pathname.endsWith('.ts')) return new Worker(entry, { resourceLimits });
  const [tsx, file] = [import.meta.resolve('tsx/esm/api'), entry.href].map((address) =>
    JSON.stringify(address),
  );
  const source = `import(${tsx}).then(({ register }) => (register(), import(${file})))`;
  return new Worker(source, { eval: true, execArgv: [], resourceLimits });
}
