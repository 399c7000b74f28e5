import type { World } from './world.ts';

/** A fault, and the words that the answer must have for it. */
export interface Trouble {
  readonly broken: string;
  /** The bold beginning of the line. */
  readonly what: string;
  readonly says: string;
  readonly fix: string;
}

/** A bot with troubles that have nothing to do with each other. */
export interface BrokenSetUp {
  readonly name: string;
  readonly environment?: (world: World) => Record<string, string>;
  /** Breaks something, and returns the function that repairs it. */
  readonly meanwhile?: (world: World) => Promise<() => Promise<unknown>>;
  readonly troubles: readonly Trouble[];
}

const MAIN = '5f0c9d3e-8a41-4b7e-9c26-d1a7e3b0f482';
const SECOND = 'b2e4a6c8-1d3f-4a5b-8c7d-9e0f1a2b3c4d';

const keys = (changed: Record<string, string>): string =>
  JSON.stringify({
    acme: 'sandbox-key-acme',
    globex: 'sandbox-key-globex',
    initech: 'sandbox-key-initech',
    ...changed,
  });

const channels = (): Record<string, string> => ({
  APPROVALS_CHANNEL: 'C0RANDOM',
  BILLING_CHANNEL: 'C0OLDIES',
  OPS_CHANNEL: 'C0NOWHERE',
});

/** Set-ups that only the environment breaks. */
export const BY_ENVIRONMENT: readonly BrokenSetUp[] = [
  {
    name: 'an unknown account id, and channels that take no posts',
    environment: () => ({
      ...channels(),
      BILLING_ACCOUNT_ID: '11111111-2222-4333-8444-555555555555',
    }),
    troubles: [
      {
        broken: 'wrong account id',
        what: 'BILLING_ACCOUNT_ID',
        says: 'BILLING_TOKEN is valid, but this account refuses it',
        fix: `set it to ${MAIN}, which pays for org acme`,
      },
      {
        broken: 'not in the channel',
        what: '#random',
        says: 'Purser is not in it',
        fix: '/invite @Purser in it, or set another one in APPROVALS_CHANNEL',
      },
      {
        broken: 'archived channel',
        what: '#old-project',
        says: 'it is archived',
        fix: 'unarchive it and type /invite @Purser, or set another one in BILLING_CHANNEL',
      },
      {
        broken: 'channel that does not exist',
        what: 'C0NOWHERE',
        says: 'there is no such channel',
        fix: 'check the id; .*OPS_CHANNEL',
      },
    ],
  },
  {
    name: 'the id of another account, and keys of the wrong kind',
    environment: () => ({
      BILLING_ACCOUNT_ID: SECOND,
      ORG_TOKENS: keys({ acme: 'svc-bsat-sandbox-all', initech: 'sandbox-workload-x' }),
    }),
    troubles: [
      {
        broken: 'account id of another account',
        what: 'BILLING_ACCOUNT_ID',
        says: 'belongs to another account',
        fix: `set it to ${MAIN}, which pays for org`,
      },
      {
        broken: 'billing token as org key',
        what: 'Org acme, key',
        says: 'billing service account token .* opens no org',
        fix: 'put the key of a service account of org acme into ORG_TOKENS',
      },
      {
        broken: 'token of a workload as org key',
        what: 'Org initech, deployments',
        says: 'the platform refuses it \\(status 403\\)',
        fix: 'service account of org initech',
      },
    ],
  },
  {
    name: 'an org’s key as billing token, and keys that do not fit',
    environment: () => ({
      BILLING_TOKEN: 'sandbox-key-initech',
      ORG_TOKENS: keys({ acme: 'sandbox-readusage-acme', globex: 'sandbox-key-acme' }),
    }),
    troubles: [
      {
        broken: 'org key on account paths',
        what: 'BILLING_TOKEN',
        says: 'it is the key of an org \\(initech\\)',
        fix: 'have a billing_admin create a billing service account token, and set BILLING_TOKEN to it',
      },
      {
        broken: 'readUsage only',
        what: 'Org acme, usage',
        says: 'lacks readMetrics \\(readUsage does not grant it\\)',
        fix: 'put the key of a service account of org acme into ORG_TOKENS, and give that readMetrics',
      },
      {
        broken: 'key of another org',
        what: 'Org globex, deployments',
        says: 'org globex refuses it: it belongs to another org',
        fix: 'put the key of a service account of org globex into ORG_TOKENS',
      },
    ],
  },
  {
    name: 'a person’s token as billing token, and a watch of nothing',
    environment: () => ({
      BILLING_TOKEN: 'sandbox-user-ben',
      ORG_TOKENS: keys({ globex: 'sandbox-key-unknown' }),
      WATCHES: 'acme/nowhere;acme/shop/absent',
    }),
    troubles: [
      {
        broken: 'user token as billing token',
        what: 'BILLING_TOKEN',
        says: 'it is the token of a person',
        fix: 'create a billing service account token',
      },
      {
        broken: 'mistyped org key',
        what: 'Org globex, deployments',
        says: 'the platform refuses the key everywhere',
        fix: 'put the key of a service account of org globex into ORG_TOKENS',
      },
      {
        broken: 'GVC that does not exist',
        what: 'Watch of acme/nowhere',
        says: 'there is no GVC nowhere in org acme',
        fix: 'correct the name in WATCHES',
      },
      {
        broken: 'workload that does not exist',
        what: 'Watch of acme/shop/absent',
        says: 'no location reports this workload',
        fix: 'check the name in the watch',
      },
    ],
  },
  {
    name: 'an expired billing token, and a usage API without a listener',
    environment: () => ({
      BILLING_TOKEN: 'svc-bsat-sandbox-expired',
      USAGE_URL: 'http://127.0.0.1:1/usage',
    }),
    troubles: [
      {
        broken: 'expired billing token',
        what: 'BILLING_TOKEN',
        says: 'the platform refuses it everywhere: it is mistyped, expired or deleted',
        fix: 'set BILLING_TOKEN to it; changes take up to 5 minutes',
      },
      {
        broken: 'unreachable usage API',
        what: 'USAGE_URL',
        says: 'nothing listens at 127.0.0.1:1',
        fix: 'check the host and the port in USAGE_URL',
      },
    ],
  },
  {
    name: 'a viewer’s token, and a user token that is dead',
    environment: () => ({
      BILLING_TOKEN: 'svc-bsat-sandbox-viewer',
      BILLING_USER_TOKEN: 'sandbox-user-long-gone',
    }),
    troubles: [
      {
        broken: 'viewer-only token',
        what: 'BILLING_TOKEN',
        says: 'it has billing_viewer, not billing_admin',
        fix: 'have a token created with billing_admin',
      },
      {
        broken: 'dead user token',
        what: 'BILLING_USER_TOKEN',
        says: 'the platform refuses it: it is mistyped or expired',
        fix: 'log in with the platform’s CLI as a billing user',
      },
    ],
  },
  {
    name: 'a token that only creates orgs, and no one who works',
    environment: () => ({ BILLING_TOKEN: 'svc-bsat-sandbox-creator', ROLE: 'app' }),
    troubles: [
      {
        broken: 'org_creator-only token',
        what: 'BILLING_TOKEN',
        says: 'it has only org_creator',
        fix: 'have a token created with billing_admin, or at least billing_viewer',
      },
      {
        broken: 'no worker',
        what: 'Work: Worker|Worker',
        says: 'none has reported within 30 s',
        fix: 'start a process with ROLE=worker',
      },
    ],
  },
  {
    name: 'a wrong path to billing, and an API without a listener',
    environment: ({ billingUrl }) => ({
      BILLING_URL: `${billingUrl}-v2`,
      API_URL: 'http://127.0.0.1:1',
    }),
    troubles: [
      {
        broken: 'billing URL with a wrong path',
        what: 'BILLING_URL',
        says: 'knows no such path',
        fix: 'check what follows the host in BILLING_URL',
      },
      {
        broken: 'unreachable API',
        what: 'API_URL',
        says: 'nothing listens at 127.0.0.1:1',
        fix: 'check the host and the port in API_URL, and that the platform is up',
      },
    ],
  },
];
