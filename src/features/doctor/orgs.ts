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
  askCatalogue,
  CHARGES,
  closing,
  formatOf,
  isAnswered,
  isMissing,
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
} from './calls.ts';
import { type Check, checkOf, isWell, listed, type Probe, probe, type Rules } from './probe.ts';

type WatchedPlace = Pick<Watch, 'org' | 'gvc' | 'workload'>;

/** `isWatched` is false for a probe of a GVC that does not exist, or that has usage. */
export interface GvcFacts {
  readonly gvc: string;
  readonly isWatched: boolean;
  readonly list: CallResult<DeploymentList>;
}

/** A GVC that does not exist: "not found" proves that the key is accepted, but not that the path is right. */
const NO_GVC = 'purser-doctor-asks';
const MAX_GVCS = 20;
/** With usage, tried in place of watched ones; some may be deleted. */
const MAX_USED = 3;

/** API_URL, USAGE_URL, the key of every org, and the watches (spec 4.4 to 4.6 and section 5). */
export function createOrgsCheck(services: PlatformServices, watches: Pick<Watches, 'all'>): Check {
  const { bareHttp, config } = services;
  const { api, orgChargesUrl, usageUrl } = config;
  const [org = 'none'] = api.credentials.keys();
  // Without a credential, both paths answer 401 if they exist.
  const path = pathOf('org', org, 'gvc', NO_GVC, 'workload', '-deployment');
  const apiAddress = { variable: 'API_URL', url: api.url, path, isGet: true };
  const query = { variable: 'USAGE_URL', path: pathOf('org', org, 'query'), isGet: false };

  async function read(signal: AbortSignal) {
    const [watched, ofApi, ofUsage] = await Promise.all([
      // A failing Redis has its own finding.
      watches.all().catch(() => undefined),
      reach(bareHttp, apiAddress, signal),
      usageUrl === undefined ? undefined : reach(bareHttp, { ...query, url: usageUrl }, signal),
    ]);
    const urls = {
      api: ofApi.isUsable ? api.url : undefined,
      usage: ofUsage?.isUsable ? usageUrl : undefined,
      charges: orgChargesUrl,
    };
    return { watched, ofApi, ofUsage, orgs: await readOrgs(services, urls, watched ?? [], signal) };
  }

  return checkOf('Platform', read, ({ watched, ofApi, ofUsage, orgs }) => {
    const lists = orgs.flatMap(({ gvcs }) => gvcs.map(({ list }) => list));
    const apiProbe = ofApi.probe(lists.some(isAnswered));
    const usageProbe = ofUsage?.probe(orgs.some(({ usage }) => isAnswered(usage)));
    const addresses = {
      api: isWell(apiProbe),
      hasLists: lists.some(({ ok }) => ok),
      usage: usageProbe !== undefined && isWell(usageProbe),
    };
    const nothing =
      '- nothing is watched, so no rollout is posted → type `/deployments watch GVC` in a channel, or set `WATCHES`';
    return [
      apiProbe,
      ...(usageProbe ? [usageProbe] : []),
      ...orgs.flatMap((one) => orgProbes(one, addresses)),
      probe('Watches', false, { [nothing]: watched?.length === 0 }),
    ];
  });
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
      own.deployments ? readWatched(own.deployments, org, places) : [],
      own.usage && valueOf(own.usage.tagValues(org, { ...lastHours(30 * 24, now), tag: 'gvc' })),
      own.charges && valueOf<unknown>(own.charges.org(org, { ...lastHours(1, now), ...CHARGES })),
    ]);
    const results = [...gvcs.map(({ list }) => list), usage, charges];
    const names = usage?.ok ? usage.value.values.filter((name) => name !== '') : [];
    const isOpen = gvcs.every(({ isWatched, list }) => !isWatched && isMissing(list));
    const used =
      own.deployments && isOpen
        ? await readGvcs(own.deployments, org, names.slice(0, MAX_USED), false)
        : [];
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
      gvcs: used.length > 0 ? used : gvcs,
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

function readWatched(
  deployments: DeploymentsClient,
  org: string,
  places: readonly WatchedPlace[],
): Promise<readonly GvcFacts[]> {
  const names = [...new Set(places.map(({ gvc }) => gvc))].slice(0, MAX_GVCS);
  const isWatched = names.length > 0;
  return readGvcs(deployments, org, isWatched ? names : [NO_GVC], isWatched);
}

function readGvcs(
  deployments: DeploymentsClient,
  org: string,
  names: readonly string[],
  isWatched: boolean,
): Promise<readonly GvcFacts[]> {
  return Promise.all(
    names.map(async (gvc) => {
      return { gvc, isWatched, list: await resultOf(deployments.listGvc(org, gvc)) };
    }),
  );
}

/** A failing API has a finding already, which each key would repeat. `hasLists`: a 404 is about the GVC. */
type Addresses = Readonly<Record<'api' | 'hasLists' | 'usage', boolean>>;

export function orgProbes(facts: OrgFacts, addresses: Addresses): readonly Probe[] {
  const { org, token, isUserToken } = facts;
  const fix = `put the key of a service account of org ${org} into ORG_TOKENS`;
  const key = probe(`Org ${org}, key`, false, {
    [`! ORG_TOKENS has a billing service account token for it, which opens no org → ${fix}, and the billing token into BILLING_TOKEN`]:
      token !== 'unknown',
    [`? ORG_TOKENS has the token of BILLING_USER_TOKEN for it: a person’s token, which ends with their login → ${fix}, and a billing user’s token into BILLING_USER_TOKEN`]:
      isUserToken,
  });
  if (token !== 'unknown') return [key];
  return [
    key,
    ...(addresses.api ? deploymentProbes(facts, addresses.hasLists) : []),
    ...(addresses.usage ? [metrics(facts, 'usage', 'USAGE_URL', 'the key has readMetrics')] : []),
    // The org form (spec 4.1), enabled by ORG_CHARGES.
    metrics(facts, 'charges', 'BILLING_URL', 'the key can read them'),
  ];
}

/** Possible answers of the API for a GVC that does not exist; which one is not published. */
const UNCLEAR = ['forbidden', 'bad-request', 'server-error', 'unavailable'];

function deploymentProbes(facts: OrgFacts, hasLists: boolean): readonly Probe[] {
  const { org, gvcs } = facts;
  const lists = gvcs.map(({ list }) => list);
  const watched = gvcs.filter(({ isWatched }) => isWatched);
  const isRead = lists.some(({ ok }) => ok);
  const isFound = lists.some(isMissing);
  // Calls to other APIs showed that the platform accepts the key.
  const isKnown = facts.usage?.ok === true || facts.isValid === true;
  const isUnclear = watched.length === 0 && UNCLEAR.includes(reasonOf(lists[0]) ?? '');
  const surely = watched.length > 0 ? '' : '; with a watched GVC the doctor can be sure';
  const isShut = lists.length > 0 && lists.every(isRefused);
  const deployments = probe(`Org ${org}, deployments`, false, {
    '+ the key can read them': isRead,
    '? no GVC that has usage is found: all of them are deleted, or the path is wrong → check what follows the host in API_URL':
      gvcs.some(({ gvc, isWatched }) => !isWatched && gvc !== NO_GVC) &&
      lists.every(isMissing) &&
      !hasLists,
    '+ the key is valid': isFound && (hasLists || isKnown),
    // Either the GVCs do not exist, or the API is elsewhere.
    [`? API_URL answers “not found” to everything → check the path in API_URL${surely}`]: isFound,
    // For a key that works, these reasons prove nothing.
    '- nothing is watched, so the key could not be tried': isUnclear && isKnown,
    ...(isShut && refusal(facts, lists[0], 'view on the workloads')),
    ...unanswered(
      'API_URL',
      lists.find((list) => !isRefused(list)),
    ),
  });
  const ofGvcs = isRead || isFound ? watched : [];
  return [deployments, ...ofGvcs.flatMap((gvc) => gvcProbes(facts, gvc, hasLists))];
}

function gvcProbes(facts: OrgFacts, { gvc, list }: GvcFacts, hasLists: boolean): readonly Probe[] {
  if (list.ok) return missingWorkloads(facts, gvc, list.value);
  const { org } = facts;
  const path = hasLists ? '' : '; if no GVC is found, check the path in API_URL';
  const wrong = {
    [`! there is no GVC ${gvc} in org ${org} → correct the name in \`WATCHES\`, or type \`/deployments unwatch ${gvc} org ${org}\` where it is watched${path}`]:
      isMissing(list),
    [`! the key works for other GVCs, but may not see this one → give the service account of org ${org} \`view\` on the workloads of ${gvc}; ${DELAY}`]:
      isRefused(list),
    ...unanswered('API_URL', list),
  };
  return [probe(`Watch of ${org}/${gvc}`, false, wrong)];
}

/** A watched workload that is not reported is misspelt, deleted or new. */
function missingWorkloads(
  { org, places }: OrgFacts,
  gvc: string,
  list: DeploymentList,
): readonly Probe[] {
  if (list.unidentified > 0) return [];
  const known = new Set([
    ...list.deployments.map(({ workload }) => workload),
    ...list.unreadable.map((key) => key.split('/')[0]),
  ]);
  const watched = places.filter((place) => place.gvc === gvc);
  const names = new Set(watched.flatMap(({ workload = [] }) => workload));
  const rule =
    '? no location reports this workload → check the name in the watch; a new workload is reported within minutes';
  return [...names].map((workload) =>
    probe(`Watch of ${org}/${gvc}/${workload}`, false, { [rule]: !known.has(workload) }),
  );
}

/** @param variable with the address of the API */
function metrics(
  facts: OrgFacts,
  name: 'usage' | 'charges',
  variable: string,
  well: string,
): Probe {
  const result = facts[name];
  return probe(`Org ${facts.org}, ${name}`, result && well, {
    [wrongPath(variable)]: isMissing(result),
    ...(isRefused(result) &&
      refusal(facts, result, 'readMetrics', ' (readUsage does not grant it)')),
    ...unanswered(variable, result),
  });
}

/**
 * The fix depends on what the other answers show.
 * @param needed the required permission
 * @param note follows the permission where it is named as missing
 */
function refusal(
  { org, credential, sharedWith, isValid, gvcs, usage, charges }: OrgFacts,
  result: CallResult<unknown> | undefined,
  needed: string,
  note = '',
): Rules {
  const isAccepted = [usage, charges, ...gvcs.map(({ list }) => list)].some((one) => one?.ok);
  // With a wrong path in API_URL, everything is missing, whatever the key is.
  const isFound = isValid !== false && gvcs.some(({ list }) => isMissing(list));
  const isForbidden = reasonOf(result) === 'forbidden';
  const same = sharedWith.length > 0 ? ` (now it has that of org ${listed(sharedWith)})` : '';
  const put = `put the key of a service account of org ${org} into ORG_TOKENS${same}`;
  const give = `${put}, and give that ${needed}; ${DELAY}`;
  return {
    [`! the key is valid, but lacks ${needed}${note}, or the org is deactivated → give the service account of org ${org} ${needed}; ${DELAY}`]:
      isFound || isAccepted,
    // A workload's token outside its workload gets 403 (spec section 5).
    [`! ${forbiddenHint('workload')} → ${put}, or run Purser as a workload of that org`]:
      isForbidden && credential === 'workload',
    [`! the platform refuses it (status 403), as it does the token inside a workload → ${put}, or run Purser as a workload of that org`]:
      isForbidden,
    [`! the platform refuses the key everywhere: it is mistyped, expired or deleted → ${put}; ${DELAY}`]:
      isValid === false,
    [`! the key is valid, but org ${org} refuses it: it belongs to another org or lacks ${needed}${note} → ${give}`]:
      isValid,
    [`! the platform refuses the key: it is mistyped, expired, of another org or lacks ${needed}${note} → ${give}`]: true,
  };
}
