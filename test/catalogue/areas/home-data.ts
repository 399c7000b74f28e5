import type { Config } from '../../../src/config/config.ts';
import type { HomeView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Authorizer } from '../../../src/access/authorizer.ts';
import type { Principal } from '../../../src/access/policy.ts';
import type { Change } from '../../../src/changes/change.ts';
import { createKinds } from '../../../src/changes/kinds/kinds.ts';
import { forms } from './money-data.ts';
import { asksFor } from '../../../src/features/alert/feature.ts';
import { createAlertPart } from '../../../src/features/alert/view.ts';
import { createChangesHome } from '../../../src/features/changes/home.ts';
import { createDeploymentsHome } from '../../../src/features/deployments/home.ts';
import { createHomeFeature } from '../../../src/features/home/feature.ts';
import { explainPlatformError } from '../../../src/platform/errors.ts';
import { createLogger } from '../../../src/lib/logger.ts';
import { Refusal } from '../../../src/lib/errors.ts';
import { NO_POLL } from '../../../src/rollouts/gvc-store.ts';
import type { Watch } from '../../../src/rollouts/watches.ts';
import { createHome } from '../../../src/slack/routing/home.ts';
import type { HomePart, Person } from '../../../src/slack/routing/routes.ts';
import { createKeys } from '../../../src/store/redis.ts';
import { changeOf, createMemoryChanges } from '../../support/changes.ts';
import { alert, charges } from '../../unit/features/alert/scenario.ts';
import { stored, storeOf } from '../../unit/features/deployments/harness.ts';
import { broken, idle, ready, rolling, type Json } from '../../unit/rollouts/platform-json.ts';
import { HOUR, MINUTE, NOW } from '../entry.ts';
import { ADA, authorizerOf, configOf, type Case } from './whoami.ts';
import { memoryIdentities } from '../../support/identities.ts';
import { NO_VERSIONS, nativeBlocks } from '../../support/native-blocks.ts';

const BEN = { userId: 'U0BEN', teamId: 'T0ACME', email: 'ben@acme.example' };
const CLEO = { userId: 'U0CLEO', teamId: 'T0ACME', email: 'cleo@acme.example' };

/** A person, and the state of the bot and the platform. */
export interface Place extends Case {
  /** There are no requests, no watches and no spend alert. */
  readonly isNew?: boolean;
  /** The platform and the store do not answer in time. */
  readonly isSlow?: boolean;
}

const REQUESTS = [
  changeOf({ requester: BEN, requestedAt: NOW - HOUR, expiresAt: NOW + 7 * HOUR }),
  changeOf({
    id: 'p7r4c8de',
    order: { kind: 'user.add', email: 'dana@acme.example', roles: ['billing_viewer'] },
    title: 'Add dana@acme.example to the billing account',
    requester: CLEO,
    requestedAt: NOW - 7 * HOUR,
    expiresAt: NOW + HOUR,
  }),
  changeOf({
    id: 'm2n5t6wx',
    order: { kind: 'quota.request', org: 'acme', quotaName: 'cpu', requestedMax: 40 },
    title: 'Request a cpu quota of 40 for org acme',
    requestedAt: NOW - 10 * MINUTE,
    expiresAt: NOW + 8 * HOUR,
  }),
  changeOf({
    id: 'h4j6v9yz',
    order: { kind: 'recipient.add', email: 'books@acme.example', enabled: true },
    title: 'Send invoices to books@acme.example',
    requestedAt: NOW - 5 * HOUR,
    state: 'succeeded',
  }),
];

const WATCHES: readonly Watch[] = [
  ['shop', 'C0DEPLOYS'],
  ['shop', 'C0OPS'],
  ['data', 'C0OPS'],
].map(([gvc = '', channel = '']) => ({
  org: 'acme',
  gvc,
  channel,
  quiet: false,
  configured: true,
}));

const REPORTS: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  shop: {
    'cart/location-0': ready(3),
    'cart/location-1': broken(3, 'OOMKilled'),
    'web/location-0': rolling(3),
  },
  data: { 'etl/location-0': ready(3), 'batch/location-0': idle(3) },
};

/** A promise that never settles. */
const never = <T>(): Promise<T> => new Promise(() => undefined);

/** Ada has only requests that she may make. */
function isThere({ order, requester }: Change, { isNew, roles, orgAccess }: Place) {
  if (isNew === true) return false;
  if (requester.userId !== ADA.userId || roles?.includes('billing_admin') === true) return true;
  return order.kind === 'quota.request' && orgAccess === undefined;
}

async function partsOf(place: () => Place): Promise<readonly HomePart<Principal>[]> {
  const clock = { now: () => NOW };
  const store = createMemoryChanges(clock);
  for (const request of REQUESTS.filter((one) => isThere(one, place())))
    await store.create(request);
  const read = <T>(value: T) =>
    place().isSlow === true ? never<never>() : Promise.resolve({ value, readAt: NOW });
  const known = () => (place().isNew === true ? undefined : alert());
  const billing = {
    getAlert: () => read(known()),
    getAccount: () => read({ alert: known() }),
    charges: {
      account: () =>
        read(charges({ org: 'acme', total: 310, projected: 420 }, { org: 'globex', total: 45 })),
    },
  };
  return [
    ...(createHomeFeature(
      {
        config: configOf(place()),
        clock,
        keys: createKeys('catalogue'),
        redis: { zscore: async () => (place().isNew === true ? null : '1') },
        access: {
          authorize: (person: Person) => authorizerOf(place()).authorize(person),
          requireRight: (person: Person, name: string) =>
            authorizerOf(place()).requireRight(person, name),
        },
      } as never,
      () => [],
    ).home ?? []),
    ...createChangesHome({
      changes: {
        ...store,
        open: () => (place().isSlow === true ? never() : store.open()),
      },
      kindOf: createKinds('USD', memoryIdentities({ 'ada@acme.example': ['U0OLD'] })),
      approvals: { required: true, allowSelf: false },
      clock,
    }),
    createAlertPart(
      {
        billing: () => billing as never,
        config: { currency: 'USD' } as Config,
        clock,
      },
      (view) => asksFor(forms, view),
    ),
    ...createDeploymentsHome({
      ...storeOf({
        configured: place().isNew === true ? [] : WATCHES,
        stateOf: (gvc) => stored(REPORTS[gvc] ?? {}, NOW),
        pollStatus: { ...NO_POLL, at: NOW - 12_000 },
      }),
      access: {
        readableOrgs: (_: unknown, orgs: readonly string[]) => Promise.resolve(orgs),
        requireOrgAccess: (person) => authorizerOf(place()).requireOrgAccess(person),
      } as Authorizer,
      clock,
    }),
  ];
}

/** The views that Ada sees in turn when she opens her home tab in one place after the other. */
async function homesIn(...places: readonly [Place, ...Place[]]): Promise<HomeView[]> {
  let [place] = places;
  let published: HomeView[] = [];
  let now = NOW - 3 * MINUTE * (places.length - 1);
  const home = createHome<Principal>(
    {
      slack: {
        views: { publish: ({ view }: { view: HomeView }) => Promise.resolve(published.push(view)) },
      } as unknown as WebClient,
      authorize: (person) => authorizerOf(place).authorize(person),
      principal: (person) => authorizerOf(place).principal(person),
      scrub: (text) => text,
      native: nativeBlocks(),
      versions: NO_VERSIONS,
      clock: { now: () => now },
      partMs: 20,
      explain: explainPlatformError,
      stopping: new AbortController().signal,
      logger: createLogger({ level: 'silent', secrets: [] }),
    },
    await partsOf(() => place),
  );
  for (const next of places) {
    place = next;
    published = [];
    await home.show(ADA);
    now += 3 * MINUTE;
  }
  return published;
}

/** The last view that Ada sees. */
export async function homeIn(...places: readonly [Place, ...Place[]]): Promise<HomeView> {
  return shownOf(await homesIn(...places), -1);
}

/** The first view that Ada sees, while the parts are being read. */
export async function firstHomeIn(...places: readonly [Place, ...Place[]]): Promise<HomeView> {
  return shownOf(await homesIn(...places), 0);
}

function shownOf(published: readonly HomeView[], index: number): HomeView {
  const view = published.at(index);
  if (view === undefined) throw new Refusal('Nothing was shown');
  return view;
}
