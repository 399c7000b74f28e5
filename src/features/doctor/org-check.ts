import { createOrgCharges } from '../../platform/billing/charges.ts';
import {
  createDeploymentsClient,
  type DeploymentsClient,
} from '../../platform/deployments/client.ts';
import type { DeploymentList } from '../../platform/deployments/deployment.ts';
import { pathOf, type Credential, DELAY, forbiddenHint } from '../../platform/http.ts';
import { createUsageClient } from '../../platform/usage.ts';
import type { Watch, Watches } from '../../rollouts/watches.ts';
import {
  broken,
  compact,
  doubtful,
  listed,
  off,
  well,
  type Check,
  type Finding,
} from './doctor-view.ts';
import {
  askCatalogue,
  CHARGES,
  closing,
  formatOf,
  isAnswered,
  isRefused,
  lastHours,
  LIMITS,
  reach,
  reasonOf,
  resultOf,
  unanswered,
  valueOf,
  wrongPath,
  type CallResult,
  type PlatformServices,
} from './platform-calls.ts';

type WatchedPlace = Pick<Watch, 'org' | 'gvc' | 'workload'>;

/** `isWatched` is false for a probe of a GVC that does not exist. */
export interface GvcFacts {
  readonly gvc: string;
  readonly isWatched: boolean;
  readonly list: CallResult<DeploymentList>;
}

/** A GVC that does not exist: "not found" proves that the key is accepted. */
const NO_GVC = 'purser-doctor-asks';
const MAX_GVCS = 20;

/** API_URL, USAGE_URL, the key of every org, and the watches (spec 4.4 to 4.6 and section 5). */
export function createOrgsCheck(services: PlatformServices, watches: Pick<Watches, 'all'>): Check {
  const { bareHttp, config } = services;
  const { api, orgChargesUrl, usageUrl } = config;
  const [org = 'none'] = api.credentials.keys();
  // Without a credential, both paths answer 401 if they exist.
  const path = pathOf('org', org, 'gvc', NO_GVC, 'workload', '-deployment');
  const apiAddress = { variable: 'API_URL', url: api.url, path, isGet: true };
  const query = { variable: 'USAGE_URL', path: pathOf('org', org, 'query'), isGet: false };
  const usageAddress = usageUrl === undefined ? undefined : { ...query, url: usageUrl };
  return {
    area: 'Platform',
    async run(signal) {
      const [watched, ofApi, ofUsage] = await Promise.all([
        // A failing Redis has its own finding.
        watches.all().catch(() => undefined),
        reach(bareHttp, apiAddress, signal),
        usageAddress && reach(bareHttp, usageAddress, signal),
      ]);
      const urls = {
        api: ofApi.isUsable ? api.url : undefined,
        usage: ofUsage?.isUsable ? usageUrl : undefined,
        charges: orgChargesUrl,
      };
      const orgs = await readOrgs(services, urls, watched ?? [], signal);
      const lists = orgs.flatMap(({ gvcs }) => gvcs.map(({ list }) => list));
      const apiFinding = ofApi.judge(lists.some(isAnswered));
      const usageFinding = ofUsage?.judge(orgs.some(({ usage }) => isAnswered(usage)));
      const addresses = {
        api: apiFinding.state === 'well',
        hasLists: lists.some(({ ok }) => ok),
        usage: usageFinding?.state === 'well',
      };
      return compact([
        apiFinding,
        usageFinding,
        ...orgs.flatMap((one) => judgeOrg(one, addresses)),
        watched?.length === 0 &&
          off(
            'Watches',
            'nothing is watched, so no rollout is told',
            'type `/deployments watch GVC` in a channel, or set `WATCHES`',
          ),
      ]);
    },
  };
}

/** @param urls only of the APIs that answer */
function readOrgs(
  { clock, config }: PlatformServices,
  urls: Readonly<Record<'api' | 'usage' | 'charges', string | undefined>>,
  watched: readonly WatchedPlace[],
  signal: AbortSignal,
) {
  const { billing } = config;
  const { credentials } = config.api;
  const orgs = [...credentials.keys()];
  const options = { credentialOf: (org: string) => credentials.get(org), limits: LIMITS, orgs };
  type Options = typeof options & { baseUrl: string };
  const open = <Client>(baseUrl: string | undefined, create: (all: Options) => Client) =>
    baseUrl === undefined ? undefined : create({ ...options, baseUrl });
  const clients = {
    deployments: open(urls.api, createDeploymentsClient),
    usage: open(urls.usage, createUsageClient),
    charges: open(urls.charges, createOrgCharges),
  };
  const opened = Object.values(clients).filter((client) => client !== undefined);

  async function readOrg(org: string, credential: Credential) {
    const { kind, secret } = credential;
    const places = watched.filter((place) => place.org === org);
    const format = formatOf(secret, config);
    // A billing token works on account paths only, so it is sent nowhere else (spec section 5).
    const isSent = format.kind === 'unknown';
    const own: Partial<typeof clients> = isSent ? clients : {};
    const now = clock.now();
    const [gvcs, usage, charges] = await Promise.all([
      own.deployments ? readGvcs(own.deployments, org, places) : [],
      own.usage &&
        valueOf<unknown>(own.usage.tagValues(org, { ...lastHours(30 * 24, now), tag: 'gvc' })),
      own.charges && valueOf<unknown>(own.charges.org(org, { ...lastHours(1, now), ...CHARGES })),
    ]);
    const results = [...gvcs.map(({ list }) => list), usage, charges];
    const isDoubted = !results.some((result) => result?.ok) || results.some(isRefused);
    // A workload's injected token only works inside the workload, so it is sent nowhere else.
    const isAsked = isSent && isDoubted && billing !== undefined && kind !== 'workload';
    const catalogue = isAsked ? await askCatalogue(billing, credential, signal) : undefined;
    return {
      org,
      credential: kind,
      token: format.kind,
      sharedWith: format.keyOf.filter((other) => other !== org),
      isUserToken: secret.reveal() === billing?.userToken?.reveal(),
      places,
      // Empty when API_URL does not answer.
      gvcs,
      // Undefined: its URL is not set or does not answer, or ORG_CHARGES is off.
      usage,
      charges,
      // Whether the platform knows the key at all; undefined: not asked, or not answered.
      isValid: catalogue?.ok ? true : isRefused(catalogue) ? false : undefined,
    };
  }

  return closing(opened, signal, () =>
    Promise.all([...credentials].map(([org, credential]) => readOrg(org, credential))),
  );
}

export type OrgFacts = Awaited<ReturnType<typeof readOrgs>>[number];

async function readGvcs(
  deployments: DeploymentsClient,
  org: string,
  places: readonly WatchedPlace[],
): Promise<readonly GvcFacts[]> {
  const names = [...new Set(places.map(({ gvc }) => gvc))].slice(0, MAX_GVCS);
  const isWatched = names.length > 0;
  return Promise.all(
    (isWatched ? names : [NO_GVC]).map(async (gvc) => {
      return { gvc, isWatched, list: await resultOf(deployments.listGvc(org, gvc)) };
    }),
  );
}

/** A failing API has a finding already, which each key would repeat. `hasLists`: a 404 is about the GVC. */
type Addresses = Readonly<Record<'api' | 'hasLists' | 'usage', boolean>>;

export function judgeOrg(facts: OrgFacts, addresses: Addresses): readonly Finding[] {
  const { org, token, isUserToken } = facts;
  const what = `Org ${org}, key`;
  const fix = `put the key of a service account of org ${org} into ORG_TOKENS`;
  if (token !== 'unknown') {
    const says = 'ORG_TOKENS has a billing service account token for it, which opens no org';
    return [broken(what, says, `${fix}, and the billing token into BILLING_TOKEN`)];
  }
  const same =
    'ORG_TOKENS has the token of BILLING_USER_TOKEN for it: a person’s token, which ends with their login';
  return compact([
    isUserToken &&
      doubtful(what, same, `${fix}, and a billing user’s token into BILLING_USER_TOKEN`),
    ...(addresses.api ? judgeDeployments(facts, addresses.hasLists) : []),
    addresses.usage && judgeMetrics(facts, 'usage', 'USAGE_URL', 'the key has readMetrics'),
    // The org form (spec 4.1), enabled by ORG_CHARGES.
    judgeMetrics(facts, 'charges', 'BILLING_URL', 'the key can read them'),
  ]);
}

/** Possible answers of the API for a GVC that does not exist; which one is not published. */
const UNCLEAR = ['forbidden', 'bad-request', 'server-error', 'unavailable'];

function judgeDeployments(facts: OrgFacts, hasLists: boolean): readonly Finding[] {
  const { org, gvcs } = facts;
  const what = `Org ${org}, deployments`;
  const lists = gvcs.map(({ list }) => list);
  const [first] = lists;
  if (first === undefined) return [];
  const watched = gvcs.filter(({ isWatched }) => isWatched);
  const ofGvcs = watched.flatMap((gvc) => judgeGvc(facts, gvc, hasLists));
  if (lists.some(({ ok }) => ok)) return [well(what, 'the key can read them'), ...ofGvcs];
  // Calls to other APIs showed that the platform accepts the key.
  const isKnown = facts.usage?.ok === true || facts.isValid === true;
  if (lists.some(isMissing)) {
    if (hasLists || isKnown) return [well(what, 'the key is valid'), ...ofGvcs];
    // Either the GVCs do not exist, or the API is elsewhere.
    const surely = watched.length > 0 ? '' : '; with a watched GVC the doctor can tell for sure';
    const says = 'API_URL answers “not found” to everything';
    return [doubtful(what, says, `check the path in API_URL${surely}`), ...ofGvcs];
  }
  // For a key that works, these reasons prove nothing.
  if (watched.length === 0 && isKnown && UNCLEAR.includes(reasonOf(first) ?? ''))
    return [off(what, 'nothing is watched, so the key could not be tried')];
  if (lists.every(isRefused))
    return [broken(what, ...refusal(facts, first, 'view on the workloads'))];
  const failed = lists.find((list) => !isRefused(list));
  return failed?.ok === false ? [unanswered(what, 'API_URL', failed.error)] : [];
}

const isMissing = (result: CallResult<unknown>) => reasonOf(result) === 'not-found';

function judgeGvc(facts: OrgFacts, { gvc, list }: GvcFacts, hasLists: boolean): readonly Finding[] {
  const { org } = facts;
  const what = `Watch of ${org}/${gvc}`;
  if (list.ok) return missingWorkloads(facts, gvc, list.value);
  if (isMissing(list)) {
    const correct = `correct the name in \`WATCHES\`, or type \`/deployments unwatch ${gvc} org ${org}\` where it is watched`;
    const path = hasLists ? '' : '; if no GVC is found, check the path in API_URL';
    return [broken(what, `there is no GVC ${gvc} in org ${org}`, `${correct}${path}`)];
  }
  if (!isRefused(list)) return [unanswered(what, 'API_URL', list.error)];
  const says = 'the key works for other GVCs, but may not see this one';
  const fix = `give the service account of org ${org} \`view\` on the workloads of ${gvc}; ${DELAY}`;
  return [broken(what, says, fix)];
}

/** A watched workload that is not reported is misspelt, deleted or new. */
function missingWorkloads({ org, places }: OrgFacts, gvc: string, list: DeploymentList) {
  if (list.unidentified > 0) return [];
  const known = new Set([
    ...list.deployments.map(({ workload }) => workload),
    ...list.unreadable.map((key) => key.split('/')[0]),
  ]);
  const watched = places.filter((place) => place.gvc === gvc);
  const names = new Set(watched.flatMap(({ workload = [] }) => workload));
  const fix = 'check the name in the watch; a new workload is reported within minutes';
  return [...names].flatMap((workload) => {
    const what = `Watch of ${org}/${gvc}/${workload}`;
    return known.has(workload) ? [] : [doubtful(what, 'no location reports this workload', fix)];
  });
}

/** @param variable with the address of the API */
function judgeMetrics(
  facts: OrgFacts,
  name: 'usage' | 'charges',
  variable: string,
  good: string,
): Finding | undefined {
  const what = `Org ${facts.org}, ${name}`;
  const result = facts[name];
  if (result === undefined) return undefined;
  if (result.ok) return well(what, good);
  if (isMissing(result)) return wrongPath(variable, what);
  if (!isRefused(result)) return unanswered(what, variable, result.error);
  return broken(what, ...refusal(facts, result, 'readMetrics', ' (readUsage does not grant it)'));
}

/**
 * The fix depends on what the other answers show.
 * @param needed the required permission
 * @param note follows the permission where it is named as missing
 */
function refusal(
  facts: OrgFacts,
  result: CallResult<unknown>,
  needed: string,
  note = '',
): [says: string, fix: string] {
  const { org, credential, sharedWith, isValid, gvcs } = facts;
  const accepted = [facts.usage, facts.charges, ...gvcs.map(({ list }) => list)];
  // With a wrong path in API_URL, everything is missing, whatever the key is.
  const isFound = isValid !== false && gvcs.some(({ list }) => isMissing(list));
  if (isFound || accepted.some((one) => one?.ok)) {
    return [
      `the key is valid, but lacks ${needed}${note}, or the org is deactivated`,
      `give the service account of org ${org} ${needed}; ${DELAY}`,
    ];
  }
  const other = ` (now it has that of org ${listed(sharedWith)})`;
  const same = sharedWith.length === 0 ? '' : other;
  const put = `put the key of a service account of org ${org} into ORG_TOKENS${same}`;
  if (reasonOf(result) === 'forbidden') {
    // A workload's token outside its workload gets 403 (spec section 5).
    const says =
      credential === 'workload'
        ? forbiddenHint(credential)
        : 'the platform refuses it (status 403), as it does the token inside a workload';
    return [says, `${put}, or run Purser as a workload of that org`];
  }
  const dead = 'the platform refuses the key everywhere: it is mistyped, expired or deleted';
  if (isValid === false) return [dead, `${put}; ${DELAY}`];
  const says =
    isValid === true
      ? `the key is valid, but org ${org} refuses it: it belongs to another org or lacks`
      : 'the platform refuses the key: it is mistyped, expired, of another org or lacks';
  return [`${says} ${needed}${note}`, `${put}, and give that ${needed}; ${DELAY}`];
}
