import { describe, expect, it } from 'vitest';
import { orgProbes, type GvcFacts, type OrgFacts } from '../../../../src/features/doctor/orgs.ts';
import type { PlatformReason } from '../../../../src/platform/errors.ts';
import { ACME, failed, invented, judged, lineOf } from './support.ts';

const judgeOrg = judged(orgProbes);
const MISSING = failed('not-found', 404);
const LIST = {
  ok: true,
  value: { deployments: [], skipped: 0, unreadable: [], unidentified: 0 },
} as unknown as GvcFacts['list'];
const USAGE = { ok: true, value: [] } as const;

const watched = (...lists: GvcFacts['list'][]): readonly GvcFacts[] =>
  lists.map((list, index) => ({ gvc: `gvc-${index + 1}`, isWatched: true, list }));

const said = (changes: Partial<OrgFacts>, hasLists = false): string[] =>
  judgeOrg({ ...ACME, ...changes }, { api: true, hasLists, usage: false }).map(lineOf);

describe('an org of which no GVC is watched', () => {
  it('is doubtful when all that API_URL says is "not found": its path may be wrong', () => {
    expect(said({ gvcs: invented(MISSING) })).toEqual([
      'doubtful Org acme, deployments: API_URL answers “not found” to everything → check the path in API_URL; with a watched GVC the doctor can be sure',
    ]);
  });

  it.each<[string, Partial<OrgFacts>, boolean]>([
    ['its key reads usage', { usage: USAGE }, false],
    ['its key is valid elsewhere', { isValid: true }, false],
    ['another org gives a list', {}, true],
  ])('is well when that is all, and %s', (_, changes, hasLists) => {
    expect(said({ gvcs: invented(MISSING), ...changes }, hasLists)).toEqual([
      'well Org acme, deployments: the key is valid',
    ]);
  });

  it.each<[PlatformReason, number]>([
    ['forbidden', 403],
    ['bad-request', 400],
    ['server-error', 500],
    ['unavailable', 503],
  ])('has a key that cannot be judged by %s, when it works elsewhere', (reason, status) => {
    const gvcs = invented(failed(reason, status));
    const nothing = 'off Org acme, deployments: nothing is watched, so the key could not be tried';

    expect(said({ gvcs, usage: USAGE })).toEqual([nothing]);
    expect(said({ gvcs, isValid: true })).toEqual([nothing]);
    expect(said({ gvcs }).join()).toMatch(/^broken Org acme, deployments: /);
  });

  it('has a key that is refused, although it works elsewhere, when the platform says 401', () => {
    const gvcs = invented(failed('unauthorized', 401));
    expect(said({ gvcs, usage: USAGE }).join()).toMatch(/^broken .*lacks view on the workloads/);
    expect(said({ gvcs, isValid: true }).join()).toMatch(
      /^broken .*belongs to another org or lacks view/,
    );
  });
});

it.each<[string, Partial<OrgFacts>, string]>([
  ['are read', { charges: USAGE }, 'well Org acme, charges: the key can read them'],
  [
    'are refused to a key that works elsewhere',
    { charges: failed('unauthorized', 401), usage: USAGE },
    'broken Org acme, charges: the key is valid, but lacks readMetrics',
  ],
  ['do not answer', { charges: failed('timeout') }, 'Org acme, charges: slow'],
  ['are not where BILLING_URL says', { charges: MISSING }, 'BILLING_URL'],
])(
  'an org whose charges are open (ORG_CHARGES) is reported when they %s',
  (_, changes, sentence) => {
    expect(said(changes).join('\n')).toContain(sentence);
  },
);

describe('an org of which GVCs are watched', () => {
  it('is doubtful beside GVCs that are not there, when nothing else says that the path is right', () => {
    expect(said({ gvcs: watched(MISSING) })).toEqual([
      'doubtful Org acme, deployments: API_URL answers “not found” to everything → check the path in API_URL',
      expect.stringMatching(/^broken Watch of acme\/gvc-1: there is no GVC gvc-1/),
    ]);
  });

  it('is not excused from what a watched GVC answers', () => {
    expect(said({ gvcs: watched(failed('forbidden', 403)), usage: USAGE }).join()).toMatch(
      /^broken .*lacks view on the workloads/,
    );
  });

  it('reports each GVC by itself: one that is slow hides no other', () => {
    expect(said({ gvcs: watched(LIST, failed('timeout'), MISSING) }, true)).toEqual([
      'well Org acme, deployments: the key can read them',
      expect.stringMatching(/^doubtful Watch of acme\/gvc-2: slow: no answer within 10 s → /),
      expect.stringMatching(/^broken Watch of acme\/gvc-3: there is no GVC/),
    ]);
  });

  it('is reported once when every GVC is slow', () => {
    expect(said({ gvcs: watched(failed('timeout'), failed('timeout')) })).toEqual([
      expect.stringMatching(/^doubtful Org acme, deployments: slow: no answer within 10 s/),
    ]);
  });
});

it('a key that no one takes is not called valid because a wrong path knows nothing', () => {
  const org = { ...ACME, gvcs: invented(MISSING), usage: failed('unauthorized', 401) };
  const usage = (isValid: boolean | undefined) =>
    judgeOrg({ ...org, isValid }, { api: false, hasLists: false, usage: true }).map(lineOf);

  expect(usage(false).join()).toContain('the platform refuses the key everywhere');
  expect(usage(true).join()).toContain('the key is valid, but lacks readMetrics');
});
