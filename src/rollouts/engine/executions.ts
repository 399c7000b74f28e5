import type { RecordMemory } from './classify.ts';
import type { Facts } from './facts.ts';
import type { Sighting } from './sighting.ts';
import type { JobNews } from './telling.ts';

/**
 * The executions of a cron workload that ended badly since the poll before. Those of a workload that
 * was not there before are news, too: only what is found at the adoption of its GVC is known.
 * @param before undefined for a record that was never seen
 */
export function jobNews(
  sighting: Sighting,
  before: RecordMemory | undefined,
  after: RecordMemory,
): JobNews[] {
  if (!after.jobs?.length) return [];
  // A memory from before executions were remembered knows all that it sees.
  const known = before === undefined ? [] : (before.jobs ?? after.jobs);
  return after.jobs
    .filter((job) => !known.includes(job))
    .map((job) => newsOf(sighting, job, sighting.facts().executions));
}

function newsOf(sighting: Sighting, job: string, executions: Facts['executions']): JobNews {
  const [execution = '', status = ''] = job.split(' ');
  const name = decodeURIComponent(execution);
  const found = executions.find((one) => one.status === status && wellFormed(one.name) === name);
  return {
    kind: 'job',
    workload: sighting.workload,
    location: sighting.location,
    execution,
    status,
    message: found?.message ?? '',
    startTime: found?.startTime,
    completionTime: found?.completionTime,
  };
}

/** Half a surrogate pair can be no part of a key. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
