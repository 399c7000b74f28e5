import { describe, expect, it } from 'vitest';
import { EMPTY_GVC, type GvcState } from '../../../../src/rollouts/watch/advance.ts';
import { pollTime } from '../../../../src/rollouts/watch/spans.ts';
import {
  freshStatuses,
  isGreen,
  isMoving,
  rememberedStatuses,
  stateAlone,
  type FreshList,
  type WorkloadStatus,
} from '../../../../src/rollouts/watch/status.ts';
import {
  broken,
  cron,
  deployment,
  deploymentsOf,
  idle,
  MINUTE,
  NOON,
  pending,
  polled,
  ready,
  rolling,
  stale,
  suspended,
  type Json,
  type Statuses,
} from '../platform-json.ts';

const SETTINGS = { patience: 1, idleMs: MINUTE };

function freshAfter(
  { state, at }: { state: GvcState; at: number },
  statuses: Statuses,
  over: Partial<FreshList> = {},
): WorkloadStatus[] {
  const list = { deployments: deploymentsOf(statuses), unreadable: [], unidentified: 0, ...over };
  return freshStatuses(list, state, pollTime(at + MINUTE / 6, at, SETTINGS));
}

const NEVER = { state: EMPTY_GVC, at: 0 };
const words = (all: readonly WorkloadStatus[]): string[] =>
  all.map(({ workload, state, impact: { level } }) => `${workload} ${state} ${level}`);

describe('the status of a workload', () => {
  const LIST = {
    'cart/oslo': broken(12, 'Back-off pulling image'),
    'cart/lima': ready(12),
    'web/oslo': rolling(3),
    'etl/oslo': cron(1),
    'off/oslo': suspended(2),
    'low/oslo': idle(2),
    'quiet/oslo': stale(2),
  };

  it('is the same from the stored state and from a list that is read beside the polls', () => {
    const known = polled([LIST, LIST]);
    const remembered = rememberedStatuses(known.state, pollTime(known.at, known.at, SETTINGS));

    expect(words(remembered)).toEqual([
      'cart failed 2',
      'web deploying 0',
      'etl cron 0',
      'off suspended 0',
      'low idle 0',
      'quiet stale 0',
    ]);
    expect(freshAfter(known, LIST)).toEqual(remembered);
    expect(words(freshAfter(NEVER, LIST))).toEqual(words(remembered));
  });

  it('is green only where nothing is wrong, unknown or on its way', () => {
    const known = freshAfter(NEVER, { ...LIST, 'api/oslo': ready(1) });

    expect(words(known.filter(isGreen))).toEqual([
      'etl cron 0',
      'off suspended 0',
      'low idle 0',
      'api ready 0',
    ]);
    expect(words(known.filter(isMoving))).toEqual(['web deploying 0']);
  });

  it('is an outage also while it is deployed', () => {
    const nothing = rolling(12, { versions: [] });
    const [cart] = freshAfter(polled([{ 'cart/oslo': ready(11) }]), { 'cart/oslo': nothing });

    expect(cart).toMatchObject({ state: 'deploying', impact: { level: 3 } });
    expect(isMoving(cart!)).toBe(false);
  });

  it('has each location with its own state and version, and is pending where one is behind', () => {
    const [cart] = freshAfter(NEVER, { 'cart/oslo': ready(12), 'cart/lima': ready(11) });

    expect(cart).toMatchObject({ state: 'pending', version: 12, impact: { level: 0 } });
    expect(cart?.rows.map(({ location, state, version }) => [location, state, version])).toEqual([
      ['oslo', 'ready', 12],
      ['lima', 'ready', 11],
    ]);
  });

  it('is unhealthy where the polls saw it ready, and failed where none did', () => {
    const down = { 'cart/oslo': broken(12, 'x') };

    expect(words(freshAfter(polled([{ 'cart/oslo': ready(12) }]), down))).toEqual([
      'cart unhealthy 3',
    ]);
    expect(words(freshAfter(NEVER, down))).toEqual(['cart failed 3']);
  });

  it('has the beginning of a state from the polls alone', () => {
    const [seen] = freshAfter(polled([LIST]), LIST);
    const [never] = freshAfter(NEVER, LIST);

    expect(seen?.rows.map(({ since }) => since)).toEqual([NOON, NOON]);
    expect(never?.rows.map(({ since }) => since)).toEqual([undefined, undefined]);
  });

  it('keeps the facts of a record that cannot be read, and has none of one that is gone', () => {
    const known = polled([LIST]);
    const list = { 'cart/lima': ready(12) };

    expect(words(freshAfter(known, list, { unreadable: ['cart/oslo'] }))).toEqual([
      'cart failed 2',
    ]);
    expect(words(freshAfter(known, list, { unidentified: 1, workload: 'cart' }))).toEqual([
      'cart failed 2',
    ]);
    expect(words(freshAfter(known, list))).toEqual(['cart ready 0']);
  });

  it('says that a location diverged once that has lasted', () => {
    const apart = { 'cart/oslo': ready(12, { lastProcessedVersion: 13 }) };
    const divergedAfter = (minutes: number) => {
      const known = polled(Array.from({ length: minutes + 1 }, () => apart));
      return freshAfter(known, apart)[0]?.rows[0]?.diverged;
    };

    expect(divergedAfter(9)).toBeUndefined();
    expect(divergedAfter(10)).toBe(13);
  });

  it('names a cause of trouble, and none of a location that is switched off', () => {
    const rows = freshAfter(NEVER, LIST).flatMap((one) => one.rows);

    expect(rows.filter(({ cause }) => cause !== '').map(({ workload }) => workload)).toEqual([
      'cart',
    ]);
  });

  it('counts restarts', () => {
    const restarts = { count: 4 };
    const status = ready(1);
    const [version] = status['versions'] as { containers: Record<string, Json> }[];
    const containers = { main: { ...version?.containers['main'], restarts } };
    const [cart] = freshAfter(NEVER, {
      'cart/oslo': { ...status, versions: [{ ...version, containers }] },
    });

    expect(cart?.rows[0]?.restarts).toBe(4);
  });
});

describe('a report by itself', () => {
  it.each<[string, Json | undefined]>([
    ['ready', ready(1)],
    ['ready', ready(1, { jobExecutions: [{ name: 'command-x', status: 'successful' }] })],
    ['cron', cron(1)],
    ['pending', pending(2)],
    ['unknown', undefined],
  ])('is %s', (state, status) => {
    expect(stateAlone(deployment(status))).toBe(state);
  });
});
