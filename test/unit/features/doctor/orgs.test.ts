import { expect, it } from 'vitest';
import { orgProbes, type GvcFacts, type OrgFacts } from '../../../../src/features/doctor/orgs.ts';
import type { PlatformReason } from '../../../../src/platform/errors.ts';
import { ACME, failed, invented, judged, lineOf } from './support.ts';

const judgeOrg = judged(orgProbes);
const MISSING = failed('not-found', 404);
const LIST = {
  ok: true,
  value: { deployments: [], skipped: 0, unreadable: [], unidentified: 0 },
} as unknown as GvcFacts['list'];
const USAGE = { ok: true, value: { values: [], skipped: 0 } } as const;

const watched = (...lists: GvcFacts['list'][]): readonly GvcFacts[] =>
  lists.map((list, index) => ({ gvc: `gvc-${index + 1}`, isWatched: true, list }));

const said = (changes: Partial<OrgFacts>, hasLists = false): string[] =>
  judgeOrg({ ...ACME, ...changes }, { api: true, hasLists, usage: false }).map(lineOf);

// The catalogue has each finding once; here is which of several answers counts.

const FORBIDDEN = failed('forbidden', 403);
const UNAUTHORIZED = failed('unauthorized', 401);
const SLOW = failed('timeout');

it.each<[string, Partial<OrgFacts>, RegExp[]]>([
  ['reads usage', { gvcs: invented(MISSING), usage: USAGE }, [/^well .*: the key is valid$/]],
  ['is valid elsewhere', { gvcs: invented(MISSING), isValid: true }, [/^well .*the key is valid$/]],
  [
    'is refused with 401, although it reads usage',
    { gvcs: invented(UNAUTHORIZED), usage: USAGE },
    [/^broken .*lacks view on the workloads/],
  ],
  [
    'is refused with 401, although it is valid',
    { gvcs: invented(UNAUTHORIZED), isValid: true },
    [/^broken .*belongs to another org or lacks view/],
  ],
  [
    'may not see a watched GVC, although it reads usage',
    { gvcs: watched(FORBIDDEN), usage: USAGE },
    [/^broken .*lacks view on the workloads/],
  ],
  ['gets slow answers alone', { gvcs: watched(SLOW, SLOW) }, [/^doubtful .*, deployments: slow: /]],
  ['may not read charges', { charges: UNAUTHORIZED, usage: USAGE }, [/lacks readMetrics/]],
  ['finds no charges', { charges: MISSING }, [/BILLING_URL/]],
])('the key of an org that %s', (_, changes, lines) => {
  expect(said(changes)).toEqual(lines.map((line) => expect.stringMatching(line) as string));
});

it.each<[PlatformReason, number]>([
  ['forbidden', 403],
  ['bad-request', 400],
  ['server-error', 500],
  ['unavailable', 503],
])('a key that works elsewhere is not judged by %s for an invented GVC', (reason, status) => {
  const gvcs = invented(failed(reason, status));
  const nothing = 'off Org acme, deployments: nothing is watched, so the key could not be tried';

  expect(said({ gvcs, usage: USAGE })).toEqual([nothing]);
  expect(said({ gvcs, isValid: true })).toEqual([nothing]);
  expect(said({ gvcs }).join()).toMatch(/^broken Org acme, deployments: /);
});

it('a GVC that is slow hides no other, and a list of another org shows that the path is right', () => {
  expect(said({ gvcs: watched(LIST, SLOW, MISSING) }, true)).toEqual([
    'well Org acme, deployments: the key can read them',
    expect.stringMatching(/^doubtful Watch of acme\/gvc-2: slow: no answer within 10 s → /),
    expect.stringMatching(/^broken Watch of acme\/gvc-3: there is no GVC/),
  ]);
  expect(said({ gvcs: invented(MISSING) }, true)).toEqual([
    'well Org acme, deployments: the key is valid',
  ]);
});

it('a key that no one takes is not called valid because a wrong path knows nothing', () => {
  const org = { ...ACME, gvcs: invented(MISSING), usage: UNAUTHORIZED };
  const usage = (isValid: boolean | undefined) =>
    judgeOrg({ ...org, isValid }, { api: false, hasLists: false, usage: true }).map(lineOf);

  expect(usage(false).join()).toContain('the platform refuses the key everywhere');
  expect(usage(true).join()).toContain('the key is valid, but lacks readMetrics');
});
