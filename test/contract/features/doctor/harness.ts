import { createBillingCheck } from '../../../../src/features/doctor/billing.ts';
import { createOrgsCheck } from '../../../../src/features/doctor/orgs.ts';
import type { Finding } from '../../../../src/features/doctor/probe.ts';
import { createBareHttp } from '../../../../src/platform/bare-http.ts';
import type { Watch } from '../../../../src/rollouts/watches.ts';
import { createSandboxPlatform } from '../../../../src/sandbox/platform/server.ts';
import { lineOf } from '../../../unit/features/doctor/support.ts';
import { load } from '../../../unit/config/environment.ts';

export const MAIN = '5f0c9d3e-8a41-4b7e-9c26-d1a7e3b0f482';
export const SECOND = 'b2e4a6c8-1d3f-4a5b-8c7d-9e0f1a2b3c4d';

const AS_ADMIN = { authorization: 'Bearer svc-bsat-sandbox-all' };

/** A set-up where all is well; a setting that is empty is not configured. */
const WELL = {
  /** Org -> key. */
  keys: { acme: 'sandbox-key-acme' } as Readonly<Record<string, string>>,
  /** The token that a workload is injected with, of orgs whose key is `$SVC_TOKEN`. */
  injected: '',
  account: MAIN,
  token: 'svc-bsat-sandbox-all',
  user: 'sandbox-user-ada',
  approvals: 'required',
  selfApproval: 'false',
  prefix: 'svc',
  /** `unknown`: they cannot be read. */
  watched: [{ org: 'acme', gvc: 'shop' }] as
    readonly Pick<Watch, 'org' | 'gvc' | 'workload'>[] | 'unknown',
};

/** Differences from it, and the addresses of the APIs. */
export type SetUp = Partial<typeof WELL> & { api?: string; usage?: string; billing?: string };

function watchesOf(watched: (typeof WELL)['watched']): Promise<Watch[]> {
  if (watched === 'unknown') return Promise.reject(new Error('Connection is closed.'));
  const common = { channel: 'C0DEPLOYS', quiet: false, configured: false };
  return Promise.resolve(watched.map((place) => ({ ...place, ...common })));
}

/** A call as the stand-in took it. */
interface PlatformRequest {
  readonly path: string;
  readonly caller?: { readonly kind: string } | null;
}

/** A stand-in platform, and the doctor's findings there with a set-up. */
export async function createDoctorHarness() {
  const platform = createSandboxPlatform();
  await platform.listen();
  const bareHttp = createBareHttp();

  async function examine(
    setUp: SetUp = {},
    signal: AbortSignal = new AbortController().signal,
  ): Promise<readonly Finding[]> {
    const { url: api, usageUrl: usage, billingUrl: billing, clock } = platform;
    const here = { ...WELL, api, usage, billing, ...setUp };
    const config = load({
      API_URL: here.api,
      USAGE_URL: here.usage,
      BILLING_URL: here.billing,
      ...(here.billing !== '' && {
        BILLING_ACCOUNT_ID: MAIN,
        BILLING_TOKEN: here.token,
        BILLING_USER_TOKEN: here.user,
      }),
      ORG_TOKENS: JSON.stringify(here.keys),
      SVC_TOKEN: here.injected,
      BRAND_PREFIX: here.prefix,
      APPROVALS: here.approvals,
      ALLOW_SELF_APPROVAL: here.selfApproval,
      ALLOW_HTTP: 'true',
    });
    // Another form of id would not be taken.
    if (config.billing) Object.assign(config.billing, { accountId: here.account });
    const services = { bareHttp, clock, config };
    const watches = { all: () => watchesOf(here.watched) };
    const checks = [createOrgsCheck(services, watches), createBillingCheck(services)];
    return (await Promise.all(checks.map((check) => check.run(signal)))).flat();
  }

  async function control(path: string, body: object): Promise<void> {
    const answer = await fetch(`${platform.url}/_sandbox/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  }

  return {
    platform,
    examine,
    /** Findings that are neither well nor off, one line each: "BILLING_TOKEN: … → …". */
    troubles: async (setUp: SetUp = {}) =>
      (await examine(setUp))
        .filter(({ state }) => state === 'broken' || state === 'doubtful')
        .map(lineOf),
    control,
    requests: async () => {
      const answer = await fetch(`${platform.url}/_sandbox/requests`);
      return ((await answer.json()) as { requests: PlatformRequest[] }).requests;
    },
    /** A billing token that expires in so many days. */
    addToken: async (name: string, days: number) => {
      const expiresAt = new Date(platform.clock.now() + days * 86_400_000).toISOString();
      await fetch(`${platform.billingUrl}/account/${MAIN}/service-account-token`, {
        method: 'POST',
        headers: { ...AS_ADMIN, 'content-type': 'application/json' },
        body: JSON.stringify({ name, roles: ['billing_admin'], expiresAt }),
      });
    },
    /** Undoes the changes of an earlier test. */
    async reset() {
      await control('faults', { faults: [] });
      await control('permissions', { org: 'acme', readMetrics: true });
      await control('account', {
        enabled: true,
        tou: true,
        paymentMethods: [{ last4: '4242', brand: 'visa' }],
        orgQuota: 5,
      });
      for (const name of ['ada', 'ben', 'gus']) {
        await control('users', { email: `${name}@acme.example`, roles: ['billing_admin'] });
      }
      await control('auth-cache/clear', {});
      await fetch(`${platform.url}/_sandbox/requests`, { method: 'DELETE' });
    },
    async close() {
      await bareHttp.close();
      await platform.close();
    },
  };
}
