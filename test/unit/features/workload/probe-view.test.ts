import { describe, expect, test } from 'vitest';
import {
  notServingOf,
  probeAnswer,
  type ProbeCall,
  readyIn,
} from '../../../../src/features/workload/probe-view.ts';
import { spoken } from '../../../support/answer.ts';
import {
  broken,
  cron,
  deployment,
  idle,
  type Json,
  ready,
  stale,
  suspended,
} from '../../rollouts/platform-json.ts';

const bare = (status: number): ProbeCall => ({
  status,
  location: undefined,
  replica: undefined,
  ms: 12,
});

function answerTo(...calls: readonly ProbeCall[]): string {
  const answer = probeAnswer({
    org: 'acme',
    target: { gvc: 'shop', workload: 'cart' },
    url: new URL('https://cart-k3v9q2m7x1b8d.apps.example.com/'),
    unknown: undefined,
    header: 'x-svc-debug',
    calls,
    notServing: undefined,
    ready: [],
  });
  return spoken(answer);
}

test('equal outcomes are counted, the most frequent first', () => {
  expect(answerTo(bare(503), bare(500), bare(503))).toContain(
    'none of 3 calls went well: 503 ×2, 500',
  );
});

test('each cause and each status is explained once', () => {
  const all = answerTo({ why: 'refused' }, { why: 'refused' });

  expect(all.split('othing listens at')).toHaveLength(2);
  expect(all).not.toContain('are missing');
  expect(answerTo(bare(404), bare(404)).split('ot found (404)')).toHaveLength(2);
});

describe('the reason for which a workload does not serve', () => {
  const ran = { name: 'command-x1', status: 'successful' };

  test.each<[string, Json | undefined, ReturnType<typeof notServingOf>]>([
    ['a schedule', cron(4), 'cron'],
    ['an ad-hoc command of a service', ready(4, { jobExecutions: [ran] }), undefined],
    ['an empty list of a service', ready(4, { jobExecutions: [] }), undefined],
    ['suspend', suspended(4), 'suspended'],
    ['zero replicas', idle(4), 'idle'],
    ['a failed rollout', broken(4), 'not-ready'],
    ['an old report', stale(4), undefined],
    ['no report', undefined, undefined],
  ])('%s', (_, status, is) => {
    expect(notServingOf([deployment(status)])).toBe(is);
  });

  test('a stale location is not counted as ready, whatever its flag says', () => {
    const there = [
      deployment(ready(4)),
      deployment(stale(4, { ready: true }), { location: 'lima' }),
    ];

    expect(readyIn(there)).toEqual(['oslo']);
  });
});
