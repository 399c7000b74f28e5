import { describe, expect, it } from 'vitest';
import { pollProbes } from '../../../../src/features/doctor/work.ts';
import { NO_POLL, type PollStatus } from '../../../../src/rollouts/gvc-store.ts';
import { judged, lineOf, ofWork } from './support.ts';

const NOW = 1_700_000_000_000;
const IDLE_MS = 60_000;
const calm = { queue: 'rollouts', waiting: 0, oldestMs: undefined, failed: 0 };

const judgePolls = judged(pollProbes);
const said = (facts: Parameters<typeof ofWork>[0]) =>
  ofWork(facts)
    .map(lineOf)
    .filter((line) => !/^well (?:Worker|Queues: no|Outbox: every|Changes: none)/.test(line));

describe('the work', () => {
  it('is well with a worker and nothing that waits for long', () => {
    expect(said({})).toEqual([]);
    expect(said({ queues: [calm, { ...calm, waiting: 4, oldestMs: 59_999 }] })).toEqual([
      'well Queues: 4 jobs waiting, none for long',
    ]);
    expect(said({ channels: [{ id: 'C1', messages: 0, heldMs: 900 }] })).toEqual([]);
  });

  it.each<[string, Parameters<typeof ofWork>[0], RegExp]>([
    ['no worker', { isAlive: false }, /^broken Worker: .*ROLE=worker/],
    [
      'a slow queue',
      { queues: [calm, { ...calm, waiting: 3, oldestMs: 60_000 }] },
      /^doubtful Queue rollouts: 3 jobs waiting, the first for 1 min/,
    ],
    [
      'a stuck queue',
      { queues: [{ ...calm, waiting: 1, oldestMs: 300_000 }] },
      /^broken Queue rollouts: 1 job waiting, the first for 5 min/,
    ],
    [
      'failed jobs',
      { queues: [{ ...calm, failed: 2 }] },
      /^doubtful Queue rollouts: 2 jobs failed/,
    ],
    [
      'a channel held back',
      { channels: [{ id: 'C1', messages: 2, heldMs: 30_000 }] },
      /^doubtful Outbox: .*takes none for C1 now, next try within 30 s/,
    ],
    [
      'a channel with too much',
      { channels: [{ id: 'C1', messages: 100, heldMs: 0 }] },
      /^doubtful Outbox: 100 messages .*narrow the watches/,
    ],
    [
      'an unreadable change',
      { overdue: { count: 1, unreadable: ['k7m2'] } },
      /^broken Changes: 1 change cannot be read: k7m2/,
    ],
    [
      'overdue changes',
      { overdue: { count: 2, unreadable: [] } },
      /^broken Changes: 2 changes should have gone on/,
    ],
  ])('with %s has one finding', (_, facts, line) => {
    expect(said(facts)).toEqual([expect.stringMatching(line)]);
  });

  it('reports changes that are overdue beside those that cannot be read', () => {
    expect(said({ overdue: { count: 3, unreadable: ['k7m2'] } })).toEqual([
      expect.stringMatching(/^broken Changes: 1 change cannot be read/),
      expect.stringMatching(/^broken Changes: 2 changes should have gone on/),
    ]);
  });
});

describe('the polls', () => {
  const polled = (changes: Partial<PollStatus>, gvc = 'shop') => ({
    org: 'acme',
    gvc,
    poll: { ...NO_POLL, at: NOW - 5_000, ...changes },
  });
  const saidOf = (changes: Partial<PollStatus>) =>
    judgePolls([polled(changes)], IDLE_MS, NOW)
      .map(lineOf)
      .join('\n');

  it('are one line while all is well', () => {
    const all = [polled({}), polled({ at: NOW - 70_000 }, 'lab')];
    expect(judgePolls(all, IDLE_MS, NOW).map(lineOf)).toEqual([
      'well Polls: 2 GVCs read within the last 1 min 10 s',
    ]);
    expect(judgePolls([], IDLE_MS, NOW)).toEqual([]);
  });

  it.each([
    ['never read', { at: 0 }, /^doubtful GVC acme\/shop: it has not been read yet → /],
    ['late', { at: NOW - 150_001 }, /^doubtful GVC acme\/shop: .* 2 min 30 s ago, which is late/],
    [
      'lost',
      { at: NOW - 330_001 },
      /^broken GVC acme\/shop: .*due every 1 min → check that a worker runs/,
    ],
    [
      'failing once',
      { failures: 1, error: 'no such GVC.' },
      /^doubtful .*5 s ago, and 1 poll failed since: no such GVC → /,
    ],
    [
      'failing for good',
      { at: 0, failures: 3, error: 'no' },
      /^broken .*never read, and 3 polls failed/,
    ],
    [
      'not readable',
      { skipped: 2 },
      /^doubtful .*2 deployments in it cannot be read → search Purser’s log/,
    ],
  ])('that are %s are found', (_, changes, line) => {
    expect(saidOf(changes)).toMatch(line);
  });

  it('that wait because the platform asked for it are not late', () => {
    expect(saidOf({ at: NOW - 400_000, notBefore: NOW + 60_000 })).toMatch(/^well/);
  });

  it('that fail do not hide those that are well', () => {
    const states = judgePolls([polled({ failures: 9 }), polled({}, 'lab')], IDLE_MS, NOW);
    expect(states.map(({ state }) => state)).toEqual(['broken', 'well']);
  });
});
