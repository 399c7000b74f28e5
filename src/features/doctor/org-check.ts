import { pathOf } from '../../platform/http.ts';
import type { DeploymentList } from '../../platform/deployments/deployment.ts';
import type { PlatformReason } from '../../platform/errors.ts';
import { DELAY, forbiddenHint } from '../../platform/org-http.ts';
import type { Watches } from '../../rollouts/watches.ts';
import { broken, compact, doubtful, listed, off, well } from './check.ts';
import type { Check, Finding } from './check.ts';
import { NO_GVC, readOrgs } from './org-reads.ts';
import type { GvcFacts, OrgFacts } from './org-reads.ts';
import {
  isAnswered,
  isRefused,
  isUsable,
  judgeAddress,
  reach,
  unanswered,
  wrongPath,
} from './platform-calls.ts';
import type { Address, CallResult, PlatformServices } from './platform-calls.ts';

/** API_URL, USAGE_URL, the key of every org, and what is watched (spec 4.4 to 4.6 and section 5). */
export function createOrgsCheck(services: PlatformServices, watches: Pick<Watches, 'all'>): Check {
  const { bareHttp, config } = services;
  const [org = 'none'] = config.api.credentials.keys();
  // Without a credential, both answer 401 where the path is right.
  const api: Address = {
    variable: 'API_URL',
    url: config.api.url,
    path: pathOf('org', org, 'gvc', NO_GVC, 'workload', '-deployment'),
    isGet: true,
  };
  const usage: Address | undefined =
    config.usageUrl === undefined
      ? undefined
      : {
          variable: 'USAGE_URL',
          url: config.usageUrl,
          path: pathOf('org', org, 'query'),
          isGet: false,
        };
  return {
    area: 'Platform',
    async run(signal) {
      const [watched, apiReached, usageReached] = await Promise.all([
        // Without Redis they are not known, which has its own finding.
        watches.all().catch(() => undefined),
        reach(bareHttp, api, signal),
        usage && reach(bareHttp, usage, signal),
      ]);
      const usable = { api: isUsable(apiReached), usage: isUsable(usageReached) };
      const orgs = await readOrgs(services, usable, watched ?? [], signal);
      const lists = orgs.flatMap(({ gvcs }) => gvcs.map(({ list }) => list));
      const isUsageKnown = orgs.some((one) => isAnswered(one.usage));
      const apiFinding = judgeAddress(api, apiReached, lists.some(isAnswered));
      const usageFinding = usage && usageReached && judgeAddress(usage, usageReached, isUsageKnown);
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
          off('Watches', 'nothing is watched: /deployments watch GVC or WATCHES begins one'),
      ]);
    },
  };
}

/** Which of the addresses are in order: of the others it was said, and each key would say it again. */
interface Addresses {
  readonly api: boolean;
  /** Some list came from there, so that a 404 is about the GVC. */
  readonly hasLists: boolean;
  readonly usage: boolean;
}

export function judgeOrg(facts: OrgFacts, addresses: Addresses): readonly Finding[] {
  const { org, token, isUserToken, usage, charges } = facts;
  const what = `Org ${org}, key`;
  const fix = `put the key of a service account of org ${org} into ORG_TOKENS`;
  if (token !== 'unknown') {
    const says =
      'ORG_TOKENS has a billing service account token for it, which works on account paths only';
    return [broken(what, says, `${fix}, and the billing token into BILLING_TOKEN`)];
  }
  return compact([
    isUserToken &&
      doubtful(
        what,
        'ORG_TOKENS and BILLING_USER_TOKEN have the same token: the one takes an org’s key, the other a person’s token, which ends with their login',
        `${fix}, and a billing user’s token into BILLING_USER_TOKEN`,
      ),
    ...(addresses.api ? judgeDeployments(facts, addresses.hasLists) : []),
    addresses.usage && usage && judgeUsage(facts, usage),
    charges && judgeCharges(facts, charges),
  ]);
}

function judgeDeployments(org: OrgFacts, hasLists: boolean): readonly Finding[] {
  const what = `Org ${org.org}, deployments`;
  const lists = org.gvcs.map(({ list }) => list);
  const [first] = lists;
  if (first === undefined) return [];
  if (lists.some(({ ok }) => ok)) {
    return [well(what, 'the key can read them'), ...judgeGvcs(org, hasLists)];
  }
  if (lists.some(isMissing)) {
    const isRight = hasLists || isKeyKnown(org);
    return [
      isRight ? well(what, 'the key is valid') : onlyMissing(what, org),
      ...judgeGvcs(org, hasLists),
    ];
  }
  if (isUnclear(org, first))
    return [off(what, 'nothing is watched, so nothing can be read with the key')];
  if (lists.every(isRefused))
    return [broken(what, ...refusal(org, first, 'view on the workloads'))];
  const failed = lists.find((list) => !list.ok && !isRefused(list));
  return failed?.ok === false ? [unanswered(what, 'API_URL', failed.error)] : [];
}

const isMissing = (result: CallResult<unknown>) =>
  !result.ok && result.error.reason === 'not-found';

/** Whether calls other than those for deployments showed that the platform takes the key. */
function isKeyKnown({ usage, isValid }: OrgFacts): boolean {
  return usage?.ok === true || isValid === true;
}

const UNCLEAR: ReadonlySet<PlatformReason> = new Set([
  'forbidden',
  'bad-request',
  'server-error',
  'unavailable',
]);

/** What the API answers for a GVC that does not exist is not published: of a key that works it says nothing. */
function isUnclear(org: OrgFacts, list: CallResult<unknown>): boolean {
  const isWatched = org.gvcs.some((gvc) => gvc.isWatched);
  return !isWatched && isKeyKnown(org) && !list.ok && UNCLEAR.has(list.error.reason);
}

/** The GVCs may not be there, or the API is not. */
function onlyMissing(what: string, { gvcs }: OrgFacts): Finding {
  const surely = gvcs.some(({ isWatched }) => isWatched) ? '' : '; a watched GVC shows it for sure';
  const says = 'nothing but "not found" comes from API_URL';
  return doubtful(what, says, `check the path in API_URL${surely}`);
}

function judgeGvcs(org: OrgFacts, hasLists: boolean): readonly Finding[] {
  return org.gvcs.flatMap((gvc) => (gvc.isWatched ? judgeGvc(org, gvc, hasLists) : []));
}

function judgeGvc(facts: OrgFacts, { gvc, list }: GvcFacts, hasLists: boolean): readonly Finding[] {
  const { org } = facts;
  const what = `Watch of ${org}/${gvc}`;
  if (list.ok) return missingWorkloads(facts, gvc, list.value);
  if (isMissing(list)) {
    const says = `there is no GVC ${gvc} in org ${org}`;
    const fix = `correct the name in WATCHES, or type /deployments unwatch ${gvc} where it is watched${hasLists ? '' : '; if no GVC is found, check the path in API_URL'}`;
    return [broken(what, says, fix)];
  }
  if (!isRefused(list)) return [unanswered(what, 'API_URL', list.error)];
  const says = 'the key works for other GVCs, and may not see this one';
  const fix = `give the service account of org ${org} view on the workloads of ${gvc}; ${DELAY}`;
  return [broken(what, says, fix)];
}

/** A watched workload that is not reported is misspelt, deleted or new. */
function missingWorkloads(
  { org, places }: OrgFacts,
  gvc: string,
  list: DeploymentList,
): readonly Finding[] {
  if (list.unidentified > 0) return [];
  const known = new Set([
    ...list.deployments.map(({ workload }) => workload),
    ...list.unreadable.map((key) => key.split('/')[0]),
  ]);
  const missing = places.flatMap(({ gvc: place, workload }) =>
    place === gvc && workload !== undefined && !known.has(workload) ? [workload] : [],
  );
  return [...new Set(missing)].map((workload) =>
    doubtful(
      `Watch of ${org}/${gvc}/${workload}`,
      'no location reports this workload',
      'check the name in the watch; a new workload is reported within minutes',
    ),
  );
}

function judgeUsage(org: OrgFacts, usage: CallResult<unknown>): Finding {
  const what = `Org ${org.org}, usage`;
  if (usage.ok) return well(what, 'the key has readMetrics');
  return metricsFailure(org, what, 'USAGE_URL', usage);
}

/** The org form (spec 4.1), which ORG_CHARGES opens. */
function judgeCharges(org: OrgFacts, charges: CallResult<unknown>): Finding {
  const what = `Org ${org.org}, charges`;
  if (charges.ok) return well(what, 'the key can read them');
  return metricsFailure(org, what, 'BILLING_URL', charges);
}

/** Of a question that takes readMetrics. @param variable with the address of the API */
function metricsFailure(
  org: OrgFacts,
  what: string,
  variable: 'BILLING_URL' | 'USAGE_URL',
  result: Extract<CallResult<unknown>, { ok: false }>,
): Finding {
  if (isMissing(result)) return wrongPath(variable, what);
  if (!isRefused(result)) return unanswered(what, variable, result.error);
  return broken(what, ...refusal(org, result, 'readMetrics', ' (readUsage does not grant it)'));
}

/**
 * Why the key is refused, as far as the other answers tell, and what to do.
 * @param needed the permission that is needed
 * @param note said behind it where it is named as missing
 */
function refusal(
  facts: OrgFacts,
  result: CallResult<unknown>,
  needed: string,
  note = '',
): [says: string, fix: string] {
  const { org, credential, sharedWith, isValid } = facts;
  if (isAcceptedSomewhere(facts)) {
    return [
      `the key is valid, and lacks ${needed}${note}; a deactivated org answers the same`,
      `give the service account of org ${org} ${needed}; ${DELAY}`,
    ];
  }
  const same =
    sharedWith.length === 0 ? '' : `: it is the same as that of org ${listed(sharedWith)} now`;
  const put = `put the key of a service account of org ${org} into ORG_TOKENS${same}`;
  if (!result.ok && result.error.reason === 'forbidden') {
    // What a workload's token gets outside of its workload (spec section 5).
    const says =
      credential === 'workload'
        ? forbiddenHint(credential)
        : 'it is refused with status 403, as the token is that a workload is injected with';
    return [says, `${put}, or run Purser as a workload of that org`];
  }
  if (isValid === false) {
    return [
      'the key is refused everywhere: it is mistyped, expired or deleted',
      `${put}; ${DELAY}`,
    ];
  }
  const says =
    isValid === true
      ? `the key is valid, and org ${org} refuses it: it is of another org or lacks`
      : 'the key is refused: it is mistyped, expired, of another org or lacks';
  return [`${says} ${needed}${note}`, `${put}, and give that ${needed}; ${DELAY}`];
}

function isAcceptedSomewhere({ gvcs, usage, charges, isValid }: OrgFacts): boolean {
  if (usage?.ok === true || charges?.ok === true || gvcs.some(({ list }) => list.ok)) return true;
  // A wrong path in API_URL knows nothing either, whatever the key is.
  return isValid !== false && gvcs.some(({ list }) => isMissing(list));
}
