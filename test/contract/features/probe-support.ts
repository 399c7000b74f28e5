import { onTestFinished } from 'vitest';

import { createProbe } from '../../../src/features/workload/probe.ts';
import { type BareHttp, createBareHttp } from '../../../src/platform/bare-http.ts';
import { createSandboxPlatform } from '../../../src/sandbox/platform/server.ts';
import type { Answer } from '../../../src/slack/routing/routes.ts';
import { get, post } from '../../support/http.ts';
import { NOTHING_WATCHED, servicesOf } from '../../support/reports.ts';
import { bearer, startClient } from '../platform/support.ts';

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
  const platform = createSandboxPlatform();
  await platform.listen();
  onTestFinished(() => platform.close());
  const { bare = createBareHttp() } = settings;
  onTestFinished(() => bare.close());
  const { globalDomain = Number(new URL(platform.url).port), prefix = 'svc' } = settings;
  const stopping = new AbortController();
  const probe = createProbe(
    servicesOf({
      deployments: startClient(platform.url, {
        credentialOf: (org) => bearer(platform.tokens[org]),
      }),
      bareHttp: bare,
      ...NOTHING_WATCHED,
      orgs: { known: ['acme'], fallback: 'acme' },
      config: {
        watches: [],
        brand: {
          prefix,
          globalDomain: `${typeof globalDomain === 'number' ? 'apps.localhost:' : ''}${globalDomain}`,
          orgEndpointPrefixes: new Map([['globex', 'gx']]),
        },
      },
      stopping: stopping.signal,
    }),
  );
  return {
    control: (path: string, body: object) => post(`${platform.url}/_sandbox/${path}`, body),
    stop: () => stopping.abort(),
    ask: (workload: string, place = { org: 'acme', gvc: 'shop' }): Promise<Answer> =>
      probe(place.org, { gvc: place.gvc, workload }),
    /** The calls that came to workloads. */
    calls: async () => {
      const url = `${platform.url}/_sandbox/requests`;
      const { requests } = await get<{ requests: LoggedCall[] }>(url);
      return requests.filter(({ host }) => host !== undefined);
    },
  };
}
