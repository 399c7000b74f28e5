import { afterEach } from 'vitest';

import { createProbe } from '../../../src/features/workload/probe.ts';
import type { BareHttp } from '../../../src/platform/bare-http.ts';
import { createBareHttp } from '../../../src/platform/bare-http.ts';
import { createSandboxPlatform } from '../../../src/sandbox/platform/server.ts';
import type { SandboxPlatform } from '../../../src/sandbox/platform/server.ts';
import type { Answer } from '../../../src/slack/routing/routes.ts';
import { servicesOf } from '../../support/reports.ts';
import { bearer, startClient } from '../platform/support.ts';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

interface Settings {
  /** Where workloads answer; a port alone is one of this machine. Absent: at the stand-in. */
  readonly globalDomain?: string | number;
  readonly prefix?: string;
  readonly bare?: BareHttp;
}

interface LoggedCall {
  readonly host?: string;
  readonly path: string;
  readonly scheme: string;
}

/** A platform, and the probe of its workloads. */
export async function startProbe(settings: Settings = {}) {
  const platform: SandboxPlatform = createSandboxPlatform();
  await platform.listen();
  const { bare = createBareHttp() } = settings;
  closers.push(
    () => bare.close(),
    () => platform.close(),
  );
  const { globalDomain = Number(new URL(platform.url).port), prefix = 'svc' } = settings;
  const stopping = new AbortController();
  const probe = createProbe(
    servicesOf({
      deployments: startClient(platform.url, {
        credentialOf: (org) => bearer(platform.tokens[org]),
      }),
      bareHttp: bare,
      config: {
        brand: {
          prefix,
          globalDomain:
            typeof globalDomain === 'number' ? `apps.localhost:${globalDomain}` : globalDomain,
          orgEndpointPrefixes: new Map([['globex', 'gx']]),
        },
      },
      stopping: stopping.signal,
    }),
  );
  const control = async (path: string, body: object) => {
    const answer = await fetch(`${platform.url}/_sandbox/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
  };

  return {
    control,
    stop: () => stopping.abort(),
    ask: (workload: string, place = { org: 'acme', gvc: 'shop' }): Promise<Answer> =>
      probe(place.org, { gvc: place.gvc, workload }),
    /** The calls that came to workloads. */
    calls: async () => {
      const answer = await fetch(`${platform.url}/_sandbox/requests`);
      const { requests } = (await answer.json()) as { requests: LoggedCall[] };
      return requests.filter(({ host }) => host !== undefined);
    },
  };
}

/** The rows of the table in an answer, without its head. */
export function rowsOf({ blocks }: Answer): string[][] {
  return blocks.flatMap((block) =>
    block.type === 'table'
      ? block.rows.slice(1).map((row) => row.map((cell) => ('text' in cell ? cell.text : '')))
      : [],
  );
}

/** Everything that an answer says, outside of its table. */
export function saidIn({ text, blocks }: Answer): string {
  const rest = blocks.filter(({ type }) => type !== 'table');
  return `${text} ${JSON.stringify(rest)}`;
}
