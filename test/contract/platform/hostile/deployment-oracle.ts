import type {
  Container,
  Deployment,
  DeploymentList,
  DeploymentVersion,
} from '../../../../src/platform/deployments/deployment.ts';
import { isEach, isPartOf } from './listing.ts';
import type { Intact } from './listing.ts';
import {
  canonical,
  isNumber,
  isSame,
  isSameOrHidden,
  isText,
  isTime,
  listOf,
  member,
  membersOf,
} from './sent.ts';

/** What is shown of deployments, held against what was said (spec 2.12). */

/** @param owner the workload that was asked for; undefined where items name their own */
export function isDeploymentList(
  shown: DeploymentList,
  pages: readonly unknown[],
  owner: string | undefined,
  isIntact: Intact,
): boolean {
  const isList = (page: unknown) =>
    member(page, 'items') !== undefined || member(page, 'kind') === 'list';
  if (!pages.every(isList)) return false;
  const items = pages.flatMap((page) => listOf(member(page, 'items')) ?? []);
  const isEmpty = (item: unknown) => JSON.stringify(item) === '{}';
  const { deployments, unreadable, unidentified } = shown;
  const isOf = (deployment: Deployment, item: unknown) => isDeployment(deployment, item, owner);
  return (
    deployments.length + unreadable.length + unidentified ===
      items.filter((item) => !isEmpty(item)).length &&
    isPartOf(deployments, items, isOf, (item) => isIntact(item, 'items'))
  );
}

export function isDeployment(shown: Deployment, said: unknown, owner?: string): boolean {
  const status = member(said, 'status');
  return (
    shown.location === member(said, 'name') &&
    isWorkload(shown.workload, said, owner) &&
    shown.hasStatus === (status !== undefined && status !== null) &&
    isFlag(shown.ready, member(status, 'ready')) &&
    isFlag(shown.deploying, member(status, 'deploying')) &&
    isText(shown.message, member(status, 'message')) &&
    isText(shown.endpoint, member(status, 'endpoint')) &&
    isText(shown.remote, member(status, 'remote')) &&
    isTime(shown.lastModified, member(said, 'lastModified')) &&
    isVersionNumber(shown.lastProcessedVersion, member(status, 'lastProcessedVersion')) &&
    isVersionNumber(shown.expectedDeploymentVersion, member(status, 'expectedDeploymentVersion')) &&
    isSameOrHidden(shown.desiredScale, member(status, 'desiredScale')) &&
    isEach(shown.versions, entriesOf(member(status, 'versions')), isVersion) &&
    isEach(shown.jobExecutions ?? [], entriesOf(member(status, 'jobExecutions')), isExecution)
  );
}

/** The entries of a list; null is none. */
function entriesOf(said: unknown): unknown {
  return Array.isArray(said) ? said.filter((entry) => entry !== null) : said;
}

/** Either what the link names, or the one that was asked for where none does. */
function isWorkload(shown: string, said: unknown, owner: string | undefined): boolean {
  const hrefs = (listOf(member(said, 'links')) ?? [])
    .filter((link) => member(link, 'rel') === 'workload')
    .map((link) => member(link, 'href'));
  const paths = [shown, encodeURIComponent(shown)].map((name) => `/workload/${name}`);
  const isNamed = (href: unknown) =>
    typeof href === 'string' && paths.some((path) => href.includes(path));
  return shown === owner || hrefs.some(isNamed);
}

/** Ready is only what says so in so many words; absence is a no. */
function isFlag(shown: boolean, said: unknown): boolean {
  return shown === (said ?? false);
}

/** A number or digits; 0 stands for one that was not set or not said. */
function isVersionNumber(shown: number, said: unknown): boolean {
  if (shown === 0) return !isNumber(said) || said.value === '0' || isOdd(said.value);
  const isDigits = typeof said === 'string' && canonical(said.trim()) === canonical(`${shown}`);
  return isSame(shown, said) || isDigits;
}

/** What is no version: below zero, or with a fraction. */
function isOdd(text: string): boolean {
  const number = Number(text);
  return !Number.isSafeInteger(number) || number < 0;
}

function isVersion(shown: DeploymentVersion, said: unknown): boolean {
  return (
    isVersionNumber(shown.workload, member(said, 'workload')) &&
    isVersionNumber(shown.gvc, member(said, 'gvc')) &&
    isFlag(shown.ready, member(said, 'ready')) &&
    isText(shown.message, member(said, 'message')) &&
    isText(shown.zone, member(said, 'zone')) &&
    isTime(shown.created, member(said, 'created')) &&
    isSameOrHidden(shown.desiredScale, member(said, 'desiredScale')) &&
    areContainers(shown.containers, member(said, 'containers'))
  );
}

function areContainers(shown: readonly Container[], said: unknown): boolean {
  // What no container can be called, and what nothing is said of, may be left out.
  const isTold = (name: string) => name !== '__proto__' && member(said, name) !== null;
  const sent = membersOf(said).filter(([name]) => isTold(name));
  const named = shown.filter(({ name }) => isTold(name));
  return (
    named.length === sent.length &&
    named.every((one, at) => one.name === sent[at]?.[0] && isContainer(one, sent[at][1]))
  );
}

function isContainer(shown: Container, said: unknown): boolean {
  const { restarts } = shown;
  const resources = ['replicas', 'replicasReady', 'cpu', 'memory'] as const;
  const sent = member(said, 'restarts');
  return (
    isText(shown.image, member(said, 'image')) &&
    isText(shown.message, member(said, 'message')) &&
    shown.ready === (member(said, 'ready') === true) &&
    resources.every((name) => isSameOrHidden(shown[name], member(said, 'resources', name))) &&
    isSameOrHidden(restarts?.count, member(sent, 'count')) &&
    isSameOrHidden(restarts?.exitCode, member(sent, 'exitCode')) &&
    isText(restarts?.reason, member(sent, 'reason')) &&
    isTime(restarts?.lastRestartTime, member(sent, 'lastRestartTime'))
  );
}

type Execution = NonNullable<Deployment['jobExecutions']>[number];

function isExecution(shown: Execution, said: unknown): boolean {
  const status = member(said, 'status');
  return (
    shown.status ===
      (typeof status === 'string' && status !== '' ? status.toLowerCase() : 'pending') &&
    (['name', 'replica', 'message'] as const).every((name) =>
      isText(shown[name], member(said, name)),
    ) &&
    isVersionNumber(shown.workloadVersion, member(said, 'workloadVersion')) &&
    isTime(shown.startTime, member(said, 'startTime')) &&
    isTime(shown.completionTime, member(said, 'completionTime')) &&
    areContainers(shown.containers, member(said, 'containers'))
  );
}
