import { describe, expect, it } from 'vitest';
import type { RecordMemory } from '../../../src/rollouts/engine/classify.ts';
import type { RolloutState } from '../../../src/rollouts/engine/rollout.ts';
import {
  recordFrom,
  recordText,
  rolloutFrom,
  rolloutText,
} from '../../../src/rollouts/gvc-store.ts';
import * as fc from '../../support/fast-check.ts';

const time = fc.constantFrom(0, 1_790_000_000_000, 1_790_000_600_000);
const count = fc.nat({ max: 3 });
const replicas = fc.record({ version: count, ready: count, wanted: count });
const state = fc.constantFrom('ready', 'failed', 'stale', 'idle', 'gone');
const said = fc.record({ n: count, episode: count, locations: fc.array(fc.string()) });

const record = fc.record(
  {
    state,
    since: time,
    version: count,
    gvc: count,
    wasReady: fc.boolean(),
    cron: fc.boolean(),
    notReady: fc.boolean(),
    wanted: fc.option(count),
    restarts: count,
    climbs: fc.array(time, { maxLength: 3 }),
    jobs: fc.array(fc.string(), { maxLength: 2 }),
    grace: fc.option(
      fc.record({
        since: time,
        until: time,
        fromNothing: fc.boolean(),
        deployingSeen: fc.boolean(),
      }),
    ),
    cause: fc.constantFrom('', 'null', 'a "cause" of two\nlines'),
    replicas,
    outgoing: fc.option(replicas),
    missing: count,
    wasDown: fc.constant(true),
  },
  {
    requiredKeys: [
      'state',
      'since',
      'version',
      'gvc',
      'wasReady',
      'cron',
      'notReady',
      'wanted',
      'restarts',
      'climbs',
      'jobs',
      'grace',
      'cause',
      'replicas',
      'outgoing',
      'missing',
    ],
  },
) as fc.Arbitrary<RecordMemory>;

const rollout = fc.record(
  {
    version: count,
    startedAt: fc.option(time),
    readyAt: fc.option(time),
    ending: fc.option(fc.constantFrom('ready', 'superseded')),
    announced: fc.boolean(),
    ready: fc.boolean(),
    said: fc.dictionary(fc.constantFrom('ready', 'failed'), said),
    told: fc.dictionary(fc.constantFrom('7/ready', '7/card'), count),
    forgotten: fc.record({ below: count, told: fc.dictionary(fc.constantFrom('ready'), count) }),
    lostAt: time,
    print: fc.constantFrom('', 'r68CGiHQ72fM'),
    late: fc.dictionary(fc.constantFrom('aws', '__proto__'), time),
    asleep: fc.array(fc.string(), { maxLength: 2 }),
    left: fc.dictionary(fc.constantFrom('aws', 'gcp'), state),
    changes: fc.array(time, { maxLength: 3 }),
    flapping: fc.option(fc.record({ since: time, n: count })),
    wakeAt: fc.option(time),
  },
  {
    requiredKeys: [
      'version',
      'startedAt',
      'readyAt',
      'ending',
      'announced',
      'ready',
      'said',
      'told',
      'print',
      'late',
      'asleep',
      'left',
      'changes',
      'flapping',
      'wakeAt',
    ],
  },
) as unknown as fc.Arbitrary<RolloutState>;

describe('what rests in Redis of a GVC', () => {
  it('is the record that was written', () => {
    fc.assert(
      fc.property(record, (one) => {
        expect(recordFrom(recordText(one))).toEqual(one);
      }),
    );
  });

  it('is what its versions run', () => {
    const rest = recordFrom('["ready",1790000000000,10,3,true,2,[10,2,2]]');
    const spec = { version: 10, containers: [['main', 'api:10', 250, null]], replicas: 2 } as const;
    const specBefore = { version: 9, containers: [], replicas: null };

    for (const more of [{ spec }, { specBefore }, { spec, specBefore, served: true as const }]) {
      expect(recordFrom(recordText({ ...rest, ...more }))).toEqual({ ...rest, ...more });
    }
  });

  it('is the rollout that was written', () => {
    fc.assert(
      fc.property(rollout, (one) => {
        expect(rolloutFrom(rolloutText(one))).toEqual(one);
      }),
    );
  });

  it('is short for what is calm', () => {
    const calm = recordFrom('["ready",1790000000000,10,3,true,2,[10,2,2]]');

    expect(calm).toMatchObject({ state: 'ready', version: 10, wanted: 2, cause: '', climbs: [] });
    expect(recordText(calm)).toBe('["ready",1790000000000,10,3,true,2,[10,2,2]]');
    expect(recordText({ ...calm, missing: 1 })).toContain(
      '[10,2,2],null,null,null,false,false,0,1]',
    );
  });

  it('is nobody else’s: what is left out is made anew with each reading', () => {
    const [one, other] = [rolloutFrom('[7]'), rolloutFrom('[7]')];

    expect(one.told).not.toBe(other.told);
  });
});
