import * as fc from '../../../support/fast-check.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { ORGS } from '../billing/support.ts';
import { timeOf } from '../consumption/support.ts';
import { conditionsOn, filterOf, holds, type Condition } from './conditions.ts';
import { alignOutward, type Span } from './steps.ts';
import { fetchPieces, HOUR_MS, startAt, type Piece, type Standing } from './support.ts';

const RUNS = 150;
const TIMEOUT_MS = 120_000;
const NOW = '2026-10-15T12:00:00Z';
const MINUTE_MS = 60_000;
/** All that was ever metered, and some time without any before and after it. */
const WINDOW = {
  start: Date.parse('2025-06-15T00:00:00Z'),
  end: Date.parse('2026-12-15T00:00:00Z'),
};
const TAGS = [
  'customIngress driver feature gpuModel gpuResource gvc loadBalancerId loadBalancerKind location',
  'locationType metric name org performanceClass provider snapshotName volumeIndex volumeSet',
  'workload workloadType',
].flatMap((names) => names.split(' '));

interface Question extends Span {
  readonly tag: string;
  readonly conditions: readonly Condition[];
}

let standing: Standing;
/** By months. */
let pieces: Piece[] = [];

beforeAll(async () => {
  standing = await startAt(NOW);
  const query = { startTime: timeOf(WINDOW.start), endTime: timeOf(WINDOW.end), timeStep: 'month' };
  for (const org of ORGS) {
    const ofOrg = await fetchPieces(standing.platform, org, { ...query, tags: TAGS });
    pieces = [...pieces, ...ofOrg];
  }
}, TIMEOUT_MS);

afterAll(() => standing.close());

function questions(): fc.Arbitrary<Question> {
  const minutes = (max: number) => fc.integer({ min: 0, max: max / MINUTE_MS });
  return fc
    .record({
      first: minutes(WINDOW.end - WINDOW.start),
      length: fc.oneof(minutes(48 * HOUR_MS), minutes(200 * 24 * HOUR_MS)),
      // No usage has the last one.
      tag: fc.constantFrom(...TAGS, 'team'),
      conditions: conditionsOn(pieces, { maxLength: 2 }),
    })
    .map(({ first, length, tag, conditions }) => {
      const start = WINDOW.start + first * MINUTE_MS;
      return { start, end: start + (length + 1) * MINUTE_MS, tag, conditions };
    });
}

function queryOf({ start, end, tag, conditions }: Question) {
  return { startTime: timeOf(start), endTime: timeOf(end), tag, filterBy: filterOf(conditions) };
}

/** The different values in the months from that of the start to the one that begins after the end. */
function valuesIn(question: Question, orgs: readonly string[]): string[] {
  const { start, end } = alignOutward(question, 'month');
  const used = pieces
    .filter(({ tags }) => orgs.includes(tags['org'] ?? '') && holds(question.conditions, tags))
    .filter(({ used }) => [...used.keys()].some((month) => month >= start && month <= end));
  return [...new Set(used.map(({ tags }) => tags[question.tag] ?? ''))].toSorted();
}

test(
  'the values of a tag are those of the usage in the widened months: of an org, and of the account',
  async () => {
    const { usage, charges } = standing;

    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...ORGS), questions(), async (org, question) => {
        const query = queryOf(question);

        const { value: ofOrg } = await usage.tagValues(org, query);
        const { value: ofAccount } = await charges.tagValues(query);

        expect(ofOrg).toEqual({ values: valuesIn(question, [org]), skipped: 0 });
        expect(ofAccount).toEqual({ values: valuesIn(question, ORGS), skipped: 0 });
      }),
      { numRuns: RUNS },
    );
  },
  TIMEOUT_MS,
);
