import { afterEach } from 'vitest';
import {
  createSandboxPlatform,
  type SandboxPlatform,
  type SandboxPlatformOptions,
} from '../../../../src/sandbox/platform/server.ts';
import { get, sendJson } from '../../../support/http.ts';

/** The fields of spec 2.12, written down a second time on purpose: the tests trust the specification. */
export interface Deployment {
  kind: string;
  name: string;
  lastModified: string;
  status: Status;
  links: Link[];
}
interface Link {
  rel: string;
  href: string;
}
export interface Status {
  endpoint: string;
  ready?: boolean;
  deploying?: boolean;
  message?: string;
  lastProcessedVersion?: number;
  expectedDeploymentVersion?: number;
  desiredScale?: number;
  versions?: Version[];
  jobExecutions?: Execution[];
  internal?: object;
}
interface Version {
  workload: number;
  gvc: number;
  ready: boolean;
  message: string;
  zone?: string;
  desiredScale?: number;
  containers?: Record<string, Container>;
}
interface Container {
  name: string;
  image: string;
  ready: boolean;
  message?: string;
  resources: { replicas?: number; replicasReady?: number };
  restarts?: { count: number; lastRestartTime: string };
}
interface Execution {
  name: string;
  replica?: string;
  status: string;
  startTime?: string;
  completionTime: string | null;
  conditions: { type: string; status: string }[];
  message: string;
}
export interface Page {
  kind: string;
  itemKind: string;
  items: Deployment[];
  links: Link[];
}
/** An entry of the request log. */
interface Logged {
  method: string;
  path: string;
  status: number | null;
  org: string | null;
  caller: { kind: string; name: string } | null;
  scheme: string;
  body?: unknown;
}
interface State {
  accounts: object[];
  stories: { name: string; label: string; of: string }[];
  orgs: {
    name: string;
    gvcs: {
      name: string;
      alias: string;
      locations: string[];
      workloads: { name: string; type: string; version: number }[];
    }[];
  }[];
}

export const SHOP = { org: 'acme', gvc: 'shop' };
export const LOCATIONS = ['aws-us-west-2', 'gcp-europe-west4', 'azure-eastus2'] as const;
export const FIRST = LOCATIONS[0];
const NOON = Date.UTC(2026, 9, 5, 12);

const running: SandboxPlatform[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((platform) => platform.close()));
});

/** A stand-in whose clock moves only when a test moves it; closed after the test. */
export async function startPlatform(options: SandboxPlatformOptions = {}) {
  const platform = createSandboxPlatform({ now: () => NOON, ...options });
  running.push(platform);
  await platform.listen();

  const api = (path: string, authorization = `Bearer ${platform.tokens['acme']}`) =>
    fetch(new URL(path, platform.url), { headers: { authorization } });

  const read = async <T>(path: string): Promise<T> => {
    const response = await api(path);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };

  const control = async (path: string, body: object) => {
    const response = await sendJson(`${platform.url}/_sandbox/${path}`, body);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  return {
    platform,
    api,
    read,
    control,
    /** Like `control`; throws for a refusal. */
    act: async (path: string, body: object) => {
      const answer = await control(path, body);
      if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`);
      return answer.body;
    },
    wait: (seconds: number) => control('clock', { advanceSeconds: seconds }),
    page: (path: string) => read<Page>(path),
    deployment: (workload: string, location: string = FIRST) =>
      read<Deployment>(`/org/acme/gvc/shop/workload/${workload}/deployment/${location}`),
    names: async (workload: string) => {
      const path = `/org/acme/gvc/shop/workload/${workload}/deployment`;
      return (await read<Page>(path)).items.map(({ name }) => name);
    },
    look: <T>(path: string) => get<T>(`${platform.url}/_sandbox/${path}`),
    state: () => get<State>(`${platform.url}/_sandbox/state`),
    requests: async () =>
      (await get<{ requests: Logged[] }>(`${platform.url}/_sandbox/requests`)).requests,
  };
}

export type Driver = Awaited<ReturnType<typeof startPlatform>>;

/** The statuses of a location, second by second, without repetitions. */
export async function watch(
  driver: Driver,
  workload: string,
  location: string,
  seconds: number,
): Promise<string[]> {
  const seen: string[] = [];
  for (let second = 0; second <= seconds; second += 1) {
    const { status } = await driver.deployment(workload, location);
    const shown = describeStatus(status);
    if (seen.at(-1) !== shown) seen.push(shown);
    await driver.wait(1);
  }
  return seen;
}

/** `P/E flags | version:ready/replicas ...` */
function describeStatus(status: Status): string {
  const flags = [status.ready ? 'ready' : '', status.deploying ? 'deploying' : ''];
  const versions = (status.versions ?? []).map((version) => {
    const { replicasReady, replicas } = Object.values(version.containers ?? {})[0]?.resources ?? {};
    return `v${version.workload}@${version.gvc}${version.ready ? '+' : '-'}${replicasReady}/${replicas}`;
  });
  const words = [`${status.lastProcessedVersion}/${status.expectedDeploymentVersion}`, ...flags];
  return `${words.filter(Boolean).join(' ')} | ${versions.join(' ')}`;
}
