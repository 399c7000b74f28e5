import type { ProbeCall } from '../../../src/features/workload/probe-view.ts';
import { createWorkloadFeature } from '../../../src/features/workload/feature.ts';
import { WORKLOAD_HELP } from '../../../src/features/workload/parse.ts';
import type { Feature } from '../../../src/services.ts';
import { splitWords } from '../../../src/lib/words.ts';
import { BareError, type BareHttp } from '../../../src/platform/bare-http.ts';
import type { DeploymentsClient } from '../../../src/platform/deployments/client.ts';
import type { Container, Deployment } from '../../../src/platform/deployments/deployment.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import type { Brand } from '../../../src/platform/workload/addresses.ts';
import type { ReadFile } from '../../../src/slack/files.ts';
import type { Answer } from '../../../src/slack/routing/routes.ts';
import { ReportFailed } from '../../../src/lib/threads.ts';
import { NOTHING_WATCHED, reportsHere, servicesOf } from '../../support/reports.ts';
import { answer, HOUR, NOW, refusal, type Entry } from '../entry.ts';
import { typeWords } from '../../support/command.ts';

/** Of the GVC shop. */
const ALIAS = 'k3v9q2m7x1b8d';
export const EUROPE = 'aws-eu-central-1';
export const AMERICA = 'azure-eastus2';

export const BRAND: Brand = {
  prefix: 'svc',
  globalDomain: 'apps.example.com',
  locationDomain: 'loc.example.com',
  internalDomain: 'internal.example.com',
  orgEndpointPrefixes: new Map(),
};
/** An operator has set nothing that can be left out. */
export const BARE_BRAND: Brand = { prefix: 'svc', orgEndpointPrefixes: new Map() };
export const PREFIXED_BRAND: Brand = {
  ...BRAND,
  orgEndpointPrefixes: new Map([['acme', 'ac42']]),
};

/** The state in which a command runs. */
export interface World {
  readonly brand?: Brand;
  /** Of the workload; absent: there is no such workload. */
  readonly deployments?: readonly Deployment[];
  /** Items of the platform's answer that cannot be read. */
  readonly unreadable?: number;
  /** Of the whole GVC. */
  readonly neighbours?: readonly Deployment[];
  /** How the workload answers, call by call; the last one goes on. */
  readonly calls?: readonly ProbeCall[];
  /** Reads the file that the person added to a form. */
  readonly readFile?: ReadFile;
  readonly orgs?: readonly string[];
  /** A manifest is more than can be checked. */
  readonly isTooMuch?: true;
}

const PERSON = { userId: 'U0ADA', teamId: 'T0ACME' };
const ANSWERED = { person: PERSON, channelId: 'C0OPS' };

/** The answer to `/workload LINE`. @throws as the command does */
async function typed(line: string, world: World = {}): Promise<Answer> {
  const split = splitWords(line);
  const [command] = featureIn(world).commands ?? [];
  if ('problem' in split || command === undefined) throw new Error(`${line} is no command`);
  return typeWords(command, split.words, ANSWERED);
}

/** The answer to `/workload LINE`. @param when the occasion, without its end */
export function asked(id: string, when: string, line: string, world?: World): Entry {
  return answer(id, `${when}: ${commandOf(line)}`, () => typed(line, world));
}

/** As `asked`, for a refusal. */
export function refused(id: string, when: string, line: string, world?: World): Entry {
  return refusal(id, `${when}: ${commandOf(line)}`, () => typed(line, world), WORKLOAD_HELP);
}

function commandOf(line: string): string {
  return `/workload ${line}`.trim();
}

/** The answer to a click on the first button with an action of its own. @throws as the button does */
export async function clicked(value: string, world: World = {}): Promise<Answer | undefined> {
  return featureIn(world).actions?.[0]?.run({ ...ANSWERED, value });
}

export function formIn(world: World = {}) {
  const [form] = featureIn(world).forms ?? [];
  if (form === undefined) throw new Error('There is no form');
  return form;
}

export { PERSON };

function featureIn({ brand = BRAND, orgs = ['acme'], readFile, ...world }: World): Feature {
  return createWorkloadFeature(
    servicesOf({
      deployments: clientIn(world),
      bareHttp: bareIn(world.calls ?? []),
      ...NOTHING_WATCHED,
      config: { brand, watches: [] },
      orgs: { known: orgs, fallback: orgs.length === 1 ? orgs[0] : undefined },
      access: { requireOrgAccess: () => Promise.resolve() },
      readFile: readFile ?? (() => Promise.resolve('')),
      reports: world.isTooMuch
        ? { run: () => Promise.reject(new ReportFailed('too-large')) }
        : reportsHere(),
      stopping: new AbortController().signal,
    }),
  );
}

function clientIn({ deployments, neighbours = [], unreadable = 0 }: World): DeploymentsClient {
  const list = (found: readonly Deployment[] | undefined) =>
    found === undefined
      ? Promise.reject(new PlatformError('not-found', 'not found', { status: 404 }))
      : Promise.resolve({ deployments: [...found], unreadable: [], unidentified: unreadable });
  const unused = () => Promise.reject(new Error('No workload command calls this'));
  return {
    listWorkload: () => list(deployments),
    listGvc: () => list(neighbours),
    scanGvc: unused,
    close: () => Promise.resolve(),
  };
}

function bareIn(calls: readonly ProbeCall[]): BareHttp {
  let count = 0;
  return {
    async get() {
      const call = calls[Math.min(count, calls.length - 1)];
      count += 1;
      if (call === undefined) throw new Error('The call has no answer');
      if ('why' in call) throw new BareError(call.why, new PlatformError('unreachable', ''));
      const { status, ms, location = '', replica = '' } = call;
      const headers = new Map([
        ['x-svc-location', location],
        ['x-svc-replica', replica],
      ]);
      return { status, headers, ms, date: NOW };
    },
    close: () => Promise.resolve(),
  };
}

function container(name: string, replicas: number | undefined): Container {
  return {
    name,
    image: `//image/${name}:1.42.0`,
    ready: true,
    message: '',
    replicas,
    replicasReady: replicas,
    cpu: 500,
    memory: 512,
    restarts: undefined,
  };
}

/** cart in one location; `replicas` null: the platform states none. */
export function cartIn(
  location: string,
  replicas: number | null = 2,
  changes: Partial<Deployment> = {},
): Deployment {
  const count = replicas ?? undefined;
  const version = {
    workload: 42,
    gvc: 7,
    created: NOW - HOUR,
    ready: true,
    message: '',
    zone: undefined,
    desiredScale: count,
    containers: [container('web', count), container('exporter', count)],
  };
  return {
    workload: 'cart',
    location,
    lastModified: NOW - HOUR,
    hasStatus: true,
    endpoint: `https://cart-${ALIAS}.${location}.loc.example.com/`,
    remote: undefined,
    ready: true,
    deploying: false,
    message: '',
    lastProcessedVersion: 42,
    expectedDeploymentVersion: 42,
    desiredScale: count,
    versions: [version],
    jobExecutions: undefined,
    ...changes,
  };
}
