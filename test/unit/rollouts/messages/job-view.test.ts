import { describe, expect, it } from 'vitest';
import { jobContent } from '../../../../src/rollouts/messages/workload-view.ts';
import { PLACE } from '../engine/gvc-scenario.ts';
import { MINUTE, NOON } from '../platform-json.ts';
import { jobFailed, read, WHERE } from './scenario.ts';

describe('an execution of a job', () => {
  it('says what failed, where, why and when', () => {
    const at = (ms: number) => `<!date^${ms / 1000}^{date_short_pretty} {time_secs}|`;
    const content = jobContent(PLACE, jobFailed(), WHERE);

    expect(content.text).toBe('shop/report run 28 failed in lima: `the disk is full`');
    expect(read(content)).toEqual([
      ':large_orange_circle: *shop/report* run 28 failed in lima',
      '`the disk is full`',
      '→ look in its logs',
      `job \`report-28\` · started ${at(NOON)}2026-10-05 12:00 UTC> · ended ${at(NOON + MINUTE)}2026-10-05 12:01 UTC> · more: \`/deployments jobs shop/report/lima org acme\``,
    ]);
  });

  it('has a line for each of its reasons, of which three are shown, and one next step', () => {
    const reasonsOf = (message: string) =>
      read(jobContent(PLACE, jobFailed({ message }), WHERE)).slice(1, -1);

    expect(reasonsOf('exit code 1; ; OOMKilled ;')).toEqual([
      '`exit code 1`',
      'out of memory (`OOMKilled`)',
      '→ raise its memory limit',
    ]);
    expect(reasonsOf('a;b;c;d;e;f;g')).toEqual([
      '`a`',
      '`b`',
      '`c`',
      '… and 4 more',
      '→ look in its logs',
    ]);
    expect(reasonsOf(' ; ')).toEqual(['no reason is reported', '→ look in its logs']);
  });

  it('without a message or times says so, or nothing', () => {
    const job = jobFailed({ message: ' ', startTime: undefined, completionTime: undefined });

    expect(read(jobContent(PLACE, job, WHERE)).slice(1)).toEqual([
      'no reason is reported',
      '→ look in its logs',
      'job `report-28` · more: `/deployments jobs shop/report/lima org acme`',
    ]);
  });

  it.each(['report', 'report-', 'nightly-28'])(
    'with a name of its own has all of it: %s',
    (name) => {
      expect(jobContent(PLACE, jobFailed({ execution: name }), WHERE).text).toContain(
        `job ${name} failed`,
      );
    },
  );
});
