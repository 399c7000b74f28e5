import { describe, expect, it } from 'vitest';
import {
  changesOf,
  nextOrg,
  stateOf,
  withoutGvc,
  workloadFrom,
  workloadText,
} from '../../../src/rollouts/gvc-store.ts';
import { EMPTY_ORG, type Group, type Ill, type Member } from '../../../src/rollouts/watch/group.ts';
import { STATES, type Location } from '../../../src/rollouts/watch/location.ts';
import type { Workload } from '../../../src/rollouts/watch/workload.ts';
import * as fc from '../../support/fast-check.ts';

const time = fc.constantFrom(0, 1_790_000_000_000, 1_790_000_600_000);
const count = fc.nat({ max: 3 });
const text = fc.constantFrom('', 'null', 'a "cause" of two\nlines');

const location = fc.record(
  {
    state: fc.constantFrom(...STATES),
    since: time,
    version: count,
    gvc: count,
    have: count,
    fresh: count,
    wanted: count,
    wasReady: fc.boolean(),
    served: fc.boolean(),
    cause: text,
    others: fc.array(fc.tuple(count, count), { maxLength: 2 }),
    failed: fc.constantFrom(1, 2),
    wants: fc.array(fc.tuple(time, count), { maxLength: 2 }),
    sick: fc.constant(true),
    report: fc.record({ n: count, at: time }),
    counts: fc.array(fc.tuple(text, count), { maxLength: 2 }),
  },
  {
    requiredKeys: [
      'state',
      'since',
      'version',
      'gvc',
      'have',
      'fresh',
      'wanted',
      'wasReady',
      'served',
    ],
  },
) as fc.Arbitrary<Location>;

const spec = fc.record({
  version: count,
  containers: fc.array(fc.tuple(text, text, fc.option(count), fc.option(count)), { maxLength: 2 }),
  replicas: count,
});

const workload = fc.record(
  {
    version: count,
    gvc: count,
    ends: fc.dictionary(fc.constantFrom('ready', 'failed'), count),
    numbers: fc.dictionary(fc.constantFrom('7/ready', '7/card'), count),
    locations: fc.dictionary(fc.constantFrom('aws', 'gcp', '__proto__'), location),
    startedAt: time,
    card: count,
    rolled: fc.constant(true),
    print: text,
    older: fc.record({ upTo: count, numbers: fc.dictionary(fc.constantFrom('ready'), count) }),
    spec,
    specBefore: spec,
    rises: fc.array(time, { maxLength: 2 }),
  },
  { requiredKeys: ['version', 'gvc', 'ends', 'numbers', 'locations'] },
) as unknown as fc.Arbitrary<Workload>;

describe('a workload in Redis', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(workload, (one) => {
        const read = workloadFrom(workloadText(one));

        expect(read).toEqual(one);
        expect(Object.keys(read.locations)).toEqual(Object.keys(one.locations));
      }),
    );
  });

  it('is short at rest', () => {
    const aws: Location = {
      state: 'ready',
      since: 1_790_000_000_000,
      version: 10,
      gvc: 3,
      have: 2,
      fresh: 2,
      wanted: 2,
      wasReady: true,
      served: true,
    };
    const rest: Workload = {
      version: 10,
      gvc: 3,
      ends: { ready: 0 },
      numbers: {},
      locations: { aws },
    };

    expect(workloadText(rest)).toBe(
      '[10,3,[["aws",54,1790000000000,10,3,2,2,2]],null,{"ends":{"ready":0},"numbers":{}}]',
    );
  });
});

describe('the changes of a GVC', () => {
  const one: Workload = { version: 1, gvc: 0, ends: {}, numbers: {}, locations: {} };
  const nothing = { workloads: {}, jobs: {} };

  it('are the fields that differ, with a new revision', () => {
    const workloads = { cart: one, constructor: one };
    const before = { ...nothing, workloads };
    const meta = { adoptedAt: 7 };
    const jobs = { etl: { seen: {} } };
    const api = { odd: 1, unreadable: { n: 0 }, slow: { n: 0 } };
    const next = { meta, workloads: { cart: { ...one }, web: { ...one, version: 2 } }, jobs, api };

    const { set, remove } = changesOf(before, next);

    expect(Object.keys(set)).toEqual(['@meta', '@api', '@jobs/etl', 'web', '@revision']);
    expect(remove).toEqual(['constructor']);
    expect(stateOf(set)).toMatchObject({ meta, jobs, workloads: { web: { version: 2 } }, api });
  });

  it('are empty for equal states', () => {
    expect(changesOf(nothing, { ...nothing })).toEqual({ set: {}, remove: [] });
  });
});

describe('the state of an org', () => {
  const member = { version: 1 } as Member;
  const group = (kind: Group['kind'], name: string, members: readonly string[]): Group =>
    ({
      kind,
      name,
      members: Object.fromEntries(members.map((one) => [one, member])),
    }) as unknown as Group;

  it('keeps its revision while nothing changes', () => {
    const before = { state: EMPTY_ORG, revision: '1' };

    expect(nextOrg(before, { ...EMPTY_ORG })).toBe(before);
    expect(nextOrg(before, { ...EMPTY_ORG, numbers: { 'aws/stale': 1 } }).revision).not.toBe('1');
  });

  it('loses every key of a GVC that is forgotten', () => {
    const shared = group('trouble', 'aws', ['shop/cart', 'pay/api']);
    const other = group('silent', 'gcp', ['pay/api']);
    const state = {
      ill: { shop: [{ workload: 'cart' } as Ill], pay: [{ workload: 'api' } as Ill] },
      groups: {
        'trouble/aws': shared,
        'silent/gcp': other,
        'silent/aws': group('silent', 'aws', ['shop/cart']),
        'gvc/shop': group('gvc', 'shop', ['shop/cart']),
      },
      numbers: { 'aws/failed': 2 },
    };

    expect(withoutGvc(state, 'shop')).toEqual({
      ill: { pay: state.ill.pay },
      groups: { 'trouble/aws': group('trouble', 'aws', ['pay/api']), 'silent/gcp': other },
      numbers: state.numbers,
    });
  });
});
