import { afterEach } from 'vitest';
import {
  createSandboxPlatform,
  type SandboxPlatform,
  type SandboxPlatformOptions,
} from '../../../../src/sandbox/platform/server.ts';
import { get, sendJson } from '../../../support/http.ts';

/** As much of spec 2.12 as the tests name, written down a second time on purpose: they trust the specification. */
interface Deployment {
  status: { endpoint: string; jobExecutions?: { name: string; status: string }[] };
  links: Link[];
}
interface Link {
  rel: string;
  href: string;
}
export interface Page {
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
    state: () => get<{ accounts: object[] }>(`${platform.url}/_sandbox/state`),
    requests: async () =>
      (await get<{ requests: Logged[] }>(`${platform.url}/_sandbox/requests`)).requests,
  };
}

export type Driver = Awaited<ReturnType<typeof startPlatform>>;
