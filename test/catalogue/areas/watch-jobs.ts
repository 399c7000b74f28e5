import { cron, type Json } from '../../unit/rollouts/platform-json.ts';
import { MINUTE, NOW, type Area, type Entry } from '../entry.ts';
import { AWS, messages, said, story } from './watch-data.ts';

const time = (ms: number): string => new Date(ms).toISOString();
const RUN: Json = {
  name: 'nightly-report-29920213',
  status: 'failed',
  startTime: time(NOW - 9 * MINUTE),
  completionTime: time(NOW - MINUTE),
  message: 'container report exceeded its memory limit; the job has reached its backoff limit',
};

function job(id: string, when: string, over: Json = {}): Entry {
  const run = { ...RUN, ...over };
  const key = `nightly-report/@job/${AWS}/${String(run['name'])}/${String(run['status'])}`;
  const place = `nightly-report/${AWS}`;
  return said('post', [`job-${id}`, when], key, () =>
    messages(story({ [place]: cron(3) }, [MINUTE, { [place]: cron(3, { jobExecutions: [run] }) }])),
  );
}

export const jobs: Area = {
  id: 'jobs',
  title: 'A run of a cron workload ended badly',
  entries: [
    job('failed', 'A run has failed, for two reasons.'),
    job('failed-one-reason', 'A run has failed, and the platform’s reason is not a usual one.', {
      message: 'DeadlineExceeded',
    }),
    job('failed-no-reason', 'A run has failed, and the platform does not say why.', {
      message: '',
    }),
    job('failed-many-reasons', 'A run has failed, for more reasons than there are lines.', {
      message: Array.from(
        { length: 8 },
        (_, index) => `step ${index + 1} ended with exit code 1`,
      ).join('; '),
    }),
    job('invalid', 'A run could not begin.', {
      status: 'invalid',
      startTime: undefined,
      completionTime: undefined,
      message: 'secret "report-key" not found',
    }),
    job('other-name', 'The run is not named after its workload.', { name: 'manual-ada-7' }),
  ],
};
