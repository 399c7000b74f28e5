import { describe, expect, it } from 'vitest';
import {
  judgeChanges,
  judgeOutbox,
  judgePolls,
  judgeQueues,
  judgeWorker,
} from '../../../../src/features/doctor/work-check.ts';
import { NO_POLL, type PollStatus } from '../../../../src/rollouts/gvc-store.ts';
import { lineOf } from './support.ts';

const NOW = 1_700_000_000_000;
const IDLE_MS = 60_000;
const calm = { queue: 'rollouts', waiting: 0, oldestMs: undefined, failed: 0 };

describe('the work', () => {
  it('needs a worker', () => {
    expect(lineOf(judgeWorker(true))).toMatch(/^well/);
    expect(lineOf(judgeWorker(false))).toMatch(
      /^broken Worker: .* → start a process with ROLE=worker/,
    );
  });

  it('is well while no job waits for long', () => {
    expect(judgeQueues([calm]).map(lineOf)).toEqual(['well Queues: no job waits']);
    expect(judgeQueues([calm, { ...calm, waiting: 4, oldestMs: 59_999 }]).map(lineOf)).toEqual([
      'well Queues: 4 jobs waiting, none for long',
    ]);
  });

  it.each([
    [
      { waiting: 3, oldestMs: 60_000 },
      [
        'doubtful Queue rollouts: 3 jobs waiting, the first for 1 min → if it stays slow, start another worker (ROLE=worker)',
      ],
    ],
    [
      { waiting: 1, oldestMs: 300_000 },
      [expect.stringMatching(/^broken Queue rollouts: 1 job waiting, the first for 5 min/)],
    ],
    [
      { failed: 2 },
      [
        expect.stringMatching(
          /^doubtful Queue rollouts: 2 jobs failed within a day → search Purser’s log/,
        ),
      ],
    ],
  ])('is found late or failing: %o', (changes, lines) => {
    expect(judgeQueues([calm, { ...calm, ...changes }]).map(lineOf)).toEqual(lines);
  });

  it.each([
    [[], /^well Outbox: every message is delivered/],
    [[{ id: 'C1', messages: 0, heldMs: 900 }], /^well Outbox: every/],
    [
      [{ id: 'C1', messages: 2, heldMs: 0 }],
      /^well Outbox: 2 messages waiting for 1 channel, all on their way/,
    ],
    [
      [{ id: 'C1', messages: 2, heldMs: 30_000 }],
      /^doubtful Outbox: .*Slack takes none for C1 now, next try within 30 s → /,
    ],
    [
      [{ id: 'C1', messages: 100, heldMs: 0 }],
      /^doubtful Outbox: 100 messages .* → .*narrow the watches/,
    ],
  ])('tells of messages that wait: %o', (channels, line) => {
    expect(lineOf(judgeOutbox(channels))).toMatch(line);
  });

  it('tells of changes that stand still, and of those that nobody can read', () => {
    expect(judgeChanges({ count: 0, unreadable: [] }).map(lineOf)).toEqual([
      'well Changes: none is overdue',
    ]);
    expect(judgeChanges({ count: 3, unreadable: ['k7m2'] }).map(lineOf)).toEqual([
      expect.stringMatching(/^broken Changes: 1 change cannot be read: k7m2 → /),
      expect.stringMatching(/^broken Changes: 2 changes should have gone on .* → start a process/),
    ]);
    expect(judgeChanges({ count: 1, unreadable: ['k7m2'] })).toHaveLength(1);
  });
});

describe('the polls', () => {
  const polled = (changes: Partial<PollStatus>, gvc = 'shop') => ({
    org: 'acme',
    gvc,
    poll: { ...NO_POLL, at: NOW - 5_000, ...changes },
  });
  const said = (changes: Partial<PollStatus>) =>
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
    expect(said(changes)).toMatch(line);
  });

  it('that wait because the platform asked for it are not late', () => {
    expect(said({ at: NOW - 400_000, notBefore: NOW + 60_000 })).toMatch(/^well/);
  });

  it('that fail do not hide those that are well', () => {
    const states = judgePolls([polled({ failures: 9 }), polled({}, 'lab')], IDLE_MS, NOW);
    expect(states.map(({ state }) => state)).toEqual(['broken', 'well']);
  });
});
