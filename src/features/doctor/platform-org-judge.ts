import { DELAY, forbiddenHint } from '../../platform/key-hints.ts';
import type { Credential } from '../../platform/credential.ts';
import type { DeploymentList } from '../../platform/deployments/client.ts';
import type { PlatformReason } from '../../platform/errors.ts';
import type { Finding } from './check.ts';
import { broken, doubtful, listed, off, well } from './findings.ts';
import type { WatchedPlace } from './platform-deps.ts';
import type { TokenKind } from './platform-kind.ts';
import { wrongPath } from './platform-reach.ts';
import { isRefused, unanswered } from './platform-seen.ts';
import type { Seen } from './platform-seen.ts';

/** A GVC that was read; not watched: it is one that nobody has. */
export interface SeenGvc {
  readonly gvc: string;
  readonly isWatched: boolean;
  readonly list: Seen<DeploymentList>;
}

/** What was found out with the key of an org. */
export interface SeenOrg {
  readonly org: string;
  readonly credential: Credential['kind'];
  /** Anything but `unknown` was not sent. */
  readonly token: TokenKind;
  /** Orgs with the same key. */
  readonly sharedWith: readonly string[];
  readonly isUserToken: boolean;
  readonly places: readonly WatchedPlace[];
  /** Empty where API_URL does not answer. */
  readonly gvcs: readonly SeenGvc[];
  /** Absent where USAGE_URL is not set or does not answer. */
  readonly usage: Seen<unknown> | undefined;
  /** Absent without ORG_CHARGES. */
  readonly charges: Seen<unknown> | undefined;
  /** Whether the platform knows the key at all; undefined: not asked, or not answered. */
  readonly isValid: boolean | undefined;
}

/** Whether something was said that only the right path says. */
export function isAnswered(seen: Seen<unknown>): boolean {
  return seen.ok || isRefused(seen);
}

/** Which of the addresses are in order: of the others it was said, and each key would say it again. */
interface Addresses {
  readonly api: boolean;
  /** Some list came from there, so that a 404 is about the GVC. */
  readonly hasLists: boolean;
  readonly usage: boolean;
}

export function judgeOrg(org: SeenOrg, addresses: Addresses): readonly Finding[] {
  if (org.token !== 'unknown') return [wrongKind(org)];
  return [
    ...(org.isUserToken ? [userToken(org)] : []),
    ...(addresses.api ? judgeDeployments(org, addresses) : []),
    ...(addresses.usage && org.usage ? [judgeUsage(org, org.usage)] : []),
    ...(org.charges ? [judgeCharges(org, org.charges)] : []),
  ];
}

function wrongKind({ org }: SeenOrg): Finding {
  return broken(
    `Org ${org}, key`,
    'ORG_TOKENS has a billing service account token for it, which works on account paths only',
    `put the key of a service account of org ${org} into ORG_TOKENS, and the billing token into BILLING_TOKEN`,
  );
}

function userToken({ org }: SeenOrg): Finding {
  return doubtful(
    `Org ${org}, key`,
    'ORG_TOKENS and BILLING_USER_TOKEN have the same token: the one takes an org’s key, the other a person’s token, which ends with their login',
    `put the key of a service account of org ${org} into ORG_TOKENS, and a billing user’s token into BILLING_USER_TOKEN`,
  );
}

function judgeDeployments(org: SeenOrg, { hasLists }: Addresses): readonly Finding[] {
  const what = `Org ${org.org}, deployments`;
  const lists = org.gvcs.map(({ list }) => list);
  const [first] = lists;
  if (first === undefined) return [];
  if (lists.some(({ ok }) => ok)) {
    return [well(what, 'the key can read them'), ...judgeGvcs(org, hasLists)];
  }
  if (lists.some(isMissing)) {
    const isRight = hasLists || isKnown(org);
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

const isMissing = (seen: Seen<unknown>) => !seen.ok && seen.error.reason === 'not-found';

/** Whether the platform takes the key, as was seen elsewhere than at deployments. */
function isKnown({ usage, isValid }: SeenOrg): boolean {
  return usage?.ok === true || isValid === true;
}

const UNCLEAR: ReadonlySet<PlatformReason> = new Set([
  'forbidden',
  'bad-request',
  'server-error',
  'unavailable',
]);

/** What a GVC that nobody has answers is not published: of a key that works it says nothing. */
function isUnclear(org: SeenOrg, list: Seen<unknown>): boolean {
  const isInvented = org.gvcs.every(({ isWatched }) => !isWatched);
  return isInvented && isKnown(org) && !list.ok && UNCLEAR.has(list.error.reason);
}

/** The GVCs may not be there, or the API is not. */
function onlyMissing(what: string, { gvcs }: SeenOrg): Finding {
  const surely = gvcs.some(({ isWatched }) => isWatched) ? '' : '; a watched GVC shows it for sure';
  return doubtful(
    what,
    'nothing but "not found" comes from API_URL',
    `check the path in API_URL${surely}`,
  );
}

function judgeGvcs(org: SeenOrg, hasLists: boolean): readonly Finding[] {
  return org.gvcs.flatMap((gvc) => (gvc.isWatched ? judgeGvc(org, gvc, hasLists) : []));
}

function judgeGvc(org: SeenOrg, { gvc, list }: SeenGvc, hasLists: boolean): readonly Finding[] {
  const what = `Watch of ${org.org}/${gvc}`;
  if (list.ok) return missingWorkloads(org, gvc, list.value);
  if (isMissing(list)) {
    const says = `there is no GVC ${gvc} in org ${org.org}`;
    const fix = `correct the name in WATCHES, or type /deployments unwatch ${gvc} where it is watched${hasLists ? '' : '; if no GVC is found, check the path in API_URL'}`;
    return [broken(what, says, fix)];
  }
  if (!isRefused(list)) return [unanswered(what, 'API_URL', list.error)];
  const says = 'the key works for other GVCs, and may not see this one';
  const fix = `give the service account of org ${org.org} view on the workloads of ${gvc}; ${DELAY}`;
  return [broken(what, says, fix)];
}

/** A watched workload that nobody reports is misspelt, deleted or new. */
function missingWorkloads(org: SeenOrg, gvc: string, list: DeploymentList): readonly Finding[] {
  if (list.unidentified > 0) return [];
  const known = new Set([
    ...list.deployments.map(({ workload }) => workload),
    ...list.unreadable.map((key) => key.split('/')[0]),
  ]);
  const missing = org.places.flatMap(({ gvc: place, workload }) =>
    place === gvc && workload !== undefined && !known.has(workload) ? [workload] : [],
  );
  return [...new Set(missing)].map((workload) =>
    doubtful(
      `Watch of ${org.org}/${gvc}/${workload}`,
      'no location reports this workload',
      'check the name in the watch; a new workload is reported within minutes',
    ),
  );
}

function judgeUsage(org: SeenOrg, usage: Seen<unknown>): Finding {
  return judgeMetrics(org, usage, {
    of: 'usage',
    says: 'the key has readMetrics',
    at: 'USAGE_URL',
  });
}

/** The org form (spec 4.1), which ORG_CHARGES opens. */
function judgeCharges(org: SeenOrg, charges: Seen<unknown>): Finding {
  const says = 'the key can read them';
  return judgeMetrics(org, charges, { of: 'charges', says, at: 'BILLING_URL' });
}

/** What takes readMetrics. @param about.at the variable with the address of the API */
function judgeMetrics(
  org: SeenOrg,
  seen: Seen<unknown>,
  about: { of: string; says: string; at: 'BILLING_URL' | 'USAGE_URL' },
): Finding {
  const what = `Org ${org.org}, ${about.of}`;
  if (seen.ok) return well(what, about.says);
  if (isRefused(seen)) {
    return broken(what, ...refusal(org, seen, 'readMetrics (readUsage does not grant it)'));
  }
  if (!isMissing(seen)) return unanswered(what, about.at, seen.error);
  return wrongPath({ variable: about.at }, what);
}

/** Why the key is refused, as far as the other answers tell, and what to do. */
function refusal(org: SeenOrg, seen: Seen<unknown>, needed: string): [says: string, fix: string] {
  const { org: name, credential, isValid } = org;
  const isForbidden = !seen.ok && seen.error.reason === 'forbidden';
  const put = keyFix(org);
  if (isAcceptedSomewhere(org)) {
    return [
      `the key is valid, and lacks ${needed}; a deactivated org answers the same`,
      `give the service account of org ${name} ${withoutNote(needed)}; ${DELAY}`,
    ];
  }
  if (isForbidden) {
    // What a workload's token gets outside of its workload (spec section 5).
    const says =
      credential === 'workload'
        ? forbiddenHint(credential)
        : 'it is refused with status 403, as the token is that a workload is injected with';
    return [says, `${put}, or run Purser as a workload of that org`];
  }
  if (isValid === true) {
    return [
      `the key is valid, and org ${name} refuses it: it is of another org or lacks ${needed}`,
      `${put}, and give that ${withoutNote(needed)}; ${DELAY}`,
    ];
  }
  return isValid === false
    ? ['the key is refused everywhere: it is mistyped, expired or deleted', `${put}; ${DELAY}`]
    : [
        `the key is refused: it is mistyped, expired, of another org or lacks ${needed}`,
        `${put}, and give that ${withoutNote(needed)}; ${DELAY}`,
      ];
}

function isAcceptedSomewhere({ gvcs, usage, charges, isValid }: SeenOrg): boolean {
  if (usage?.ok === true || charges?.ok === true || gvcs.some(({ list }) => list.ok)) return true;
  // A wrong path in API_URL knows nothing either, whatever the key is.
  return isValid !== false && gvcs.some(({ list }) => isMissing(list));
}

function withoutNote(needed: string): string {
  return needed.replace(/ \(.*$/, '');
}

function keyFix({ org, sharedWith }: SeenOrg): string {
  const same =
    sharedWith.length === 0 ? '' : `: it is the same as that of org ${listed(sharedWith)} now`;
  return `put the key of a service account of org ${org} into ORG_TOKENS${same}`;
}
