import { expect, test } from 'vitest';
import type {
  Container,
  Deployment,
  DeploymentList,
  DeploymentVersion,
  JobCondition,
  JobExecution,
} from '../../../../src/platform/deployments/deployment.ts';
import { ALL_CALLS } from '../calls.ts';
import { startClients } from '../clients.ts';
import {
  canonical,
  each,
  is,
  isNumber,
  isSame,
  isSameOrHidden,
  isText,
  isTime,
  listOf,
  member,
  membersOf,
  record,
  some,
  type Rule,
} from './rules.ts';
import { ofAnswer, SHARES, tryAnswers, type Oracle } from './trial.ts';

/** Deployments as the client returns them, compared with the answers (spec 2.12). */

/** Ready only if the answer says so explicitly; an absent flag is false. */
const isFlag: Rule<boolean> = (shown, said) => shown === (said ?? false);

/** A number or digits; 0 stands for one that was not set or not reported, or is invalid: below zero, or with a fraction. */
const isVersionNumber: Rule<number> = (shown, said, isIntact) => {
  if (shown === 0) {
    const number = isNumber(said) ? Number(said.value) : 0;
    return number === 0 || !Number.isSafeInteger(number) || number < 0;
  }
  const isDigits = typeof said === 'string' && canonical(said.trim()) === canonical(`${shown}`);
  return isSame(shown, said, isIntact) || isDigits;
};

const isRestarts = record<NonNullable<Container['restarts']>>({
  count: isSameOrHidden,
  exitCode: isSameOrHidden,
  reason: isText,
  lastRestartTime: isTime,
});

const isContainer = record<Omit<Container, 'name'>>({
  image: isText,
  message: isText,
  ready: (shown, said) => shown === (said === true),
  replicas: [isSameOrHidden, 'resources', 'replicas'],
  replicasReady: [isSameOrHidden, 'resources', 'replicasReady'],
  cpu: [isSameOrHidden, 'resources', 'cpu'],
  memory: [isSameOrHidden, 'resources', 'memory'],
  restarts: (shown, said, isIntact) =>
    shown === undefined ? membersOf(said).length === 0 : isRestarts(shown, said, isIntact),
});

const areContainers: Rule<readonly Container[]> = (shown, said, isIntact) => {
  // Impossible names and containers without a value may be left out.
  const isReported = (name: string) => name !== '__proto__' && member(said, name) !== null;
  const sent = membersOf(said).filter(([name]) => isReported(name));
  const named = shown.filter(({ name }) => isReported(name));
  return (
    named.length === sent.length &&
    named.every((one, at) => one.name === sent[at]?.[0] && isContainer(one, sent[at][1], isIntact))
  );
};

/** Every entry of a list but null stands for itself. */
function entriesOf<Row>(rule: Rule<Row>): Rule<readonly Row[] | undefined> {
  return (shown = [], said, isIntact) => {
    const entries = listOf(said)?.filter((entry) => entry !== null);
    return entries !== undefined && each(rule)(shown, entries, isIntact);
  };
}

const isVersion = record<DeploymentVersion>({
  workload: isVersionNumber,
  gvc: isVersionNumber,
  ready: isFlag,
  message: isText,
  zone: isText,
  created: isTime,
  desiredScale: isSameOrHidden,
  containers: areContainers,
});

const isCondition = record<JobCondition>({
  type: isText,
  status: isText,
  reason: isText,
  message: isText,
  lastDetectionTime: isTime,
  lastTransitionTime: isTime,
});
const isExecution = record<JobExecution>({
  status: (shown, said) =>
    shown === (typeof said === 'string' && said !== '' ? said.toLowerCase() : 'pending'),
  name: isText,
  replica: isText,
  message: isText,
  workloadVersion: isVersionNumber,
  startTime: isTime,
  completionTime: isTime,
  // Other elements may be between the conditions.
  conditions: (shown, said, isIntact) => {
    const isOne = (one: unknown) => typeof one === 'object' && one !== null && !Array.isArray(one);
    const sent = Array.isArray(said) ? said.filter((one) => isOne(one) && !isNumber(one)) : [];
    return each(isCondition)(shown, sent, isIntact);
  },
  containers: areContainers,
});

/** The workload that the link names, or without a link the requested one. */
function isWorkloadOf(owner: string | undefined): Rule<string> {
  return (shown, links) => {
    const hrefs = (listOf(links) ?? [])
      .filter((link) => member(link, 'rel') === 'workload')
      .map((link) => member(link, 'href'));
    const paths = [shown, encodeURIComponent(shown)].map((name) => `/workload/${name}`);
    const isNamed = (href: unknown) =>
      typeof href === 'string' && paths.some((path) => href.includes(path));
    return shown === owner || hrefs.some(isNamed);
  };
}

/** @param owner the workload that was asked for; undefined where items name their own */
function deploymentOf(owner?: string): Rule<Deployment> {
  return record<Deployment>({
    location: [is, 'name'],
    workload: [isWorkloadOf(owner), 'links'],
    hasStatus: [(shown, said) => shown === ((said ?? null) !== null), 'status'],
    ready: [isFlag, 'status', 'ready'],
    deploying: [isFlag, 'status', 'deploying'],
    message: [isText, 'status', 'message'],
    endpoint: [isText, 'status', 'endpoint'],
    remote: [isText, 'status', 'remote'],
    lastModified: isTime,
    lastProcessedVersion: [isVersionNumber, 'status', 'lastProcessedVersion'],
    expectedDeploymentVersion: [isVersionNumber, 'status', 'expectedDeploymentVersion'],
    desiredScale: [isSameOrHidden, 'status', 'desiredScale'],
    versions: [entriesOf(isVersion), 'status', 'versions'],
    jobExecutions: [entriesOf(isExecution), 'status', 'jobExecutions'],
  });
}

/** Every item is shown or counted; the odd `{}` stands for nothing. */
function listOfDeployments(owner?: string): Oracle {
  const areThose = some(deploymentOf(owner), 'items');
  return (shown, { documents, isIntact }) => {
    const { deployments, unreadable, unidentified } = shown as DeploymentList;
    const isList = (page: unknown) =>
      member(page, 'items') !== undefined || member(page, 'kind') === 'list';
    const items = documents.flatMap((page) => listOf(member(page, 'items')) ?? []);
    return (
      documents.every(isList) &&
      deployments.length + unreadable.length + unidentified ===
        items.filter((item) => JSON.stringify(item) !== '{}').length &&
      areThose(deployments, items, isIntact)
    );
  };
}

tryAnswers('deployments', {
  'deployments.listGvc': listOfDeployments(),
  'deployments.scanGvc': listOfDeployments(),
  'deployments.listWorkload': listOfDeployments('etl'),
  'deployments.get': ofAnswer(deploymentOf('orders-db')),
});

/** The names of all methods of a client that ask something. */
function methodsOf(client: object, path: string): string[] {
  return Object.entries(client).flatMap(([name, member]: [string, unknown]) => {
    if (typeof member === 'function') return name === 'close' ? [] : [`${path}.${name}`];
    return typeof member === 'object' && member !== null
      ? methodsOf(member, `${path}.${name}`)
      : [];
  });
}

test('every method of the three clients is tried, 50,000 times in all', async () => {
  const clients = startClients('http://127.0.0.1:9');
  const { billing, usage, deployments } = clients;
  const methods = Object.entries({ billing, usage, deployments }).flatMap(([name, client]) =>
    methodsOf(client, name),
  );
  await clients.close();

  expect(Object.keys(ALL_CALLS).toSorted()).toEqual(methods.toSorted());
  expect(Object.values(SHARES).reduce((sum, share) => sum + share, 0)).toBe(50_000);
});
