import { judge, probe, type Finding } from '../../../src/features/doctor/probe.ts';
import {
  createOrgsCheck,
  orgProbes,
  type GvcFacts,
  type OrgFacts,
} from '../../../src/features/doctor/orgs.ts';
import { addressProbe, unanswered } from '../../../src/features/doctor/calls.ts';
import { BareError, type BareCause } from '../../../src/platform/bare-http.ts';
import { PlatformError, type PlatformReason } from '../../../src/platform/errors.ts';
import { load } from '../../unit/config/environment.ts';
import { read } from '../../unit/platform/deployments/items.ts';
import { NOW, type Area } from '../entry.ts';
import { ACME, failed, found, invented, judged } from '../../unit/features/doctor/support.ts';
import { findings, IN_TIME, type Findings } from './doctor-data.ts';

const judgeOrg = judged(orgProbes);
export const judgeAddress = judged(addressProbe);

export const API = {
  variable: 'API_URL',
  url: 'https://api.example.com/v1',
  path: 'org',
  isGet: true,
};
const USAGE = { ...API, variable: 'USAGE_URL', url: 'https://usage.example.com', isGet: false };
const STATUS: Readonly<Partial<Record<PlatformReason, number>>> = {
  'bad-request': 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'rate-limited': 429,
  'server-error': 500,
  unavailable: 503,
  redirected: 302,
};

export const reached = (status: number) =>
  found({ status, headers: new Map<string, string>(), date: undefined, ms: 40 });
const silent = (why: BareCause) => ({
  ok: false as const,
  error: new BareError(why, new PlatformError('unreachable', '')),
});
const refused = failed('unauthorized', 401);
const forbidden = failed('forbidden', 403);
const missing = failed('not-found', 404);
const slow = failed('timeout');

const LIST: GvcFacts['list'] = found(read([]));
const watched = (...lists: GvcFacts['list'][]): readonly GvcFacts[] =>
  ['shop', 'data', 'lab']
    .slice(0, lists.length)
    .map((gvc, index) => ({ gvc, isWatched: true, list: lists[index] ?? LIST }));
/** Findings about an org's deployments. */
function deployments(changes: Partial<OrgFacts>, hasLists = false): readonly Finding[] {
  return judgeOrg({ ...ACME, ...changes }, { api: true, hasLists, usage: false });
}

/** Findings about an org's usage. */
function usage(changes: Partial<OrgFacts>): readonly Finding[] {
  return judgeOrg({ ...ACME, ...changes }, { api: false, hasLists: false, usage: true });
}

/** Each org has a GVC that is not there, and nothing is watched of another. */
export const manyOrgs = (count: number): readonly Finding[] =>
  Array.from({ length: count }, (_, index) => [
    ...deployments({ org: `team-${index + 1}`, gvcs: watched(LIST, missing) }, true),
    ...deployments({ org: `lab-${index + 1}`, gvcs: invented(forbidden), isValid: true }),
  ]).flat();

/** Nothing is configured but an address. */
async function nothingWatched(): Promise<readonly Finding[]> {
  const services = {
    config: { ...load(), api: { url: API.url, credentials: new Map() } },
    bareHttp: {
      get: () => Promise.reject(new BareError('refused', new PlatformError('unreachable', ''))),
      close: () => Promise.resolve(),
    },
    clock: { now: () => NOW },
  };
  const findings = await createOrgsCheck(services, { all: () => Promise.resolve([]) }).run(IN_TIME);
  return findings.filter(({ state }) => state === 'off');
}

/** All that is well of the orgs. */
export const platformWell = (): Findings => ({
  Platform: [
    ...judgeAddress(API, reached(401), true),
    ...judgeAddress(USAGE, reached(404), true),
    ...['acme', 'globex'].flatMap((org) =>
      judgeOrg(
        { ...ACME, org, gvcs: watched(LIST), usage: found({ values: [], skipped: 0 }) },
        { api: true, hasLists: true, usage: true },
      ),
    ),
  ],
});

const CAUSES: readonly BareCause[] = [
  'unknown-name',
  'refused',
  'timeout',
  'certificate',
  'no-tls',
  'unreadable',
  'other',
];
const REASONS: readonly PlatformReason[] = [
  'bad-request',
  'conflict',
  'rate-limited',
  'server-error',
  'unavailable',
  'unreachable',
  'timeout',
  'too-large',
  'malformed',
  'redirected',
];

const ADDRESSES = (): Finding[] => [
  ...CAUSES.flatMap((why) => judgeAddress(API, silent(why), false)),
  ...[302, 404, 500].flatMap((status) => judgeAddress(API, reached(status), false)),
  ...judgeAddress(USAGE, reached(404), false),
];

/** The same reasons hold for data that is read with a key, so the refusals are shown for both. */
const REFUSED_KEYS = (): Finding[] =>
  [
    deployments({ gvcs: watched(refused, refused), usage: found({ values: [], skipped: 0 }) }),
    deployments({ gvcs: watched(forbidden), sharedWith: ['globex', 'initech'] }),
    deployments({ gvcs: watched(forbidden), credential: 'workload' }),
    deployments({ gvcs: watched(refused), isValid: true }),
    deployments({ gvcs: watched(refused), isValid: false }),
    deployments({ gvcs: watched(refused) }),
    usage({ usage: refused, gvcs: watched(LIST) }),
    usage({ usage: forbidden }),
    usage({ usage: refused, isValid: true }),
    usage({ usage: refused }),
    usage({ charges: refused, gvcs: watched(LIST) }),
  ].flat();

const GVCS = (): Finding[] =>
  [
    deployments({ gvcs: watched(LIST, missing, refused), org: 'acme' }, true),
    deployments({
      gvcs: watched(LIST),
      org: 'initech',
      places: [{ org: 'initech', gvc: 'shop', workload: 'cart' }],
    }),
    deployments({ gvcs: watched(missing), org: 'globex' }),
    deployments({ gvcs: watched(LIST, slow), org: 'umbrella' }),
  ].flat();

export const doctorPlatform: Area = {
  id: 'doctor-platform',
  title: 'The doctor: the platform',
  entries: [
    findings(
      'addresses',
      'Each way in which an address of the platform does not work.',
      'Platform',
      ADDRESSES,
    ),
    findings(
      'unanswered-calls',
      'Each way in which a call with a key gets no answer that says anything of the key.',
      'Platform',
      () =>
        REASONS.flatMap((reason) =>
          judge([
            probe(
              'Org acme, usage',
              false,
              unanswered('USAGE_URL', failed(reason, STATUS[reason])),
            ),
          ]),
        ),
    ),
    findings('usage-path-wrong', 'The address of usage has the wrong path.', 'Platform', () =>
      usage({ usage: missing }),
    ),
    findings(
      'charges-of-orgs',
      'Charges of single orgs are open (ORG_CHARGES), each with its own key.',
      'Platform',
      () => usage({ charges: found({ values: [], skipped: 0 }) }),
    ),
    findings(
      'keys-refused',
      'Each reason for which the platform refuses the key of an org.',
      'Platform',
      REFUSED_KEYS,
    ),
    findings(
      'keys-mixed-up',
      'A token of another kind is set in place of the key of an org.',
      'Platform',
      () => [...deployments({ token: 'billing' }), ...deployments({ isUserToken: true })],
    ),
    findings(
      'orgs-without-watch',
      'The keys of orgs of which nothing is watched: valid, unclear, and with an address that knows nothing, or no GVC that has usage.',
      'Platform',
      () => [
        ...deployments({ gvcs: invented(missing), isValid: true }),
        ...deployments({ org: 'globex', gvcs: invented(forbidden), isValid: true }),
        ...deployments({ org: 'initech', gvcs: invented(missing) }),
        ...deployments({
          org: 'umbrella',
          gvcs: [{ gvc: 'shop', isWatched: false, list: missing }],
          isValid: true,
        }),
      ],
    ),
    findings(
      'watched-gvcs',
      'Everything that can be wrong with a GVC or a workload that is watched.',
      'Platform',
      GVCS,
    ),
    findings('nothing-watched', 'Nothing is watched at all.', 'Platform', nothingWatched),
  ],
};
