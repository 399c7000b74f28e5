import { BigNumber } from 'bignumber.js';
import { parse } from 'lossless-json';

import { createBillingClient } from '../../../../src/platform/billing/client.ts';
import { createUsageClient } from '../../../../src/platform/usage.ts';
import { createSandboxPlatform } from '../../../../src/sandbox/platform/server.ts';
import type { SandboxPlatform } from '../../../../src/sandbox/platform/server.ts';
import { MAIN, VIEWER } from '../billing/support.ts';
import { bearer } from '../support.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const ZERO = new BigNumber(0);
export const ORGS = ['acme', 'globex', 'initech'];

/** Tag -> value; a tag that does not apply is the empty string. */
export type Tags = Readonly<Record<string, string>>;

/** Usage that some tags do not tell apart: start of a step (ms since the epoch) -> what was used in it. */
export interface Piece {
  readonly tags: Tags;
  readonly used: ReadonlyMap<number, BigNumber>;
}

/** A stand-in whose clock stands at `now`, clients that remember nothing, and calls without them. */
export async function startAt(now: string) {
  const platform = createSandboxPlatform({ now: () => Date.parse(now) });
  await platform.listen();
  const shared = { cacheMs: 0, now: () => platform.clock.now() };
  const keyOf = (org: string) => bearer(platform.tokens[org]);
  const usage = createUsageClient({
    ...shared,
    baseUrl: platform.usageUrl,
    credentialOf: keyOf,
  });
  const billing = createBillingClient({
    ...shared,
    baseUrl: platform.billingUrl,
    accountId: MAIN,
    accountCredential: bearer(VIEWER),
    credentialOf: keyOf,
  });
  return {
    platform,
    usage,
    billing,
    charges: billing.charges,
    close: async () => {
      await Promise.all([usage.close(), billing.close()]);
      await platform.close();
    },
  };
}

export type Standing = Awaited<ReturnType<typeof startAt>>;

/** A call with nothing between, its numbers exact. */
export async function askRaw(url: string, token: string | undefined, body?: object) {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${text}`);
  return parse(text, null, (digits) => new BigNumber(digits));
}

/** The answer of a usage query, as it is written. */
interface RawResult {
  readonly periods:
    | {
        readonly startTime: string;
        readonly groups: {
          readonly consumptions: {
            readonly value: BigNumber;
            readonly tags: Readonly<Record<string, unknown>>;
          }[];
        }[];
      }[]
    | null;
}

/** What an org used in each step of a range, in the smallest pieces that `tags` tell apart. */
export async function fetchPieces(
  platform: SandboxPlatform,
  org: string,
  query: { startTime: string; endTime: string; timeStep: string; tags: readonly string[] },
): Promise<Piece[]> {
  const { tags: aggregateBy, ...range } = query;
  const answer = await askRaw(`${platform.usageUrl}/org/${org}/query`, platform.tokens[org], {
    ...range,
    aggregateByTimeStep: true,
    groupBy: [],
    consumptionQueries: [{ filterBy: {}, aggregateBy }],
  });
  const pieces = new Map<string, { tags: Tags; used: Map<number, BigNumber> }>();
  for (const { startTime, groups } of (answer as RawResult).periods ?? []) {
    for (const { value, tags: said } of groups.flatMap(({ consumptions }) => consumptions)) {
      const tags = Object.fromEntries(aggregateBy.map((tag) => [tag, String(said[tag])]));
      const piece = pieces.get(spell(tags)) ?? { tags, used: new Map() };
      pieces.set(spell(tags), piece);
      piece.used.set(Date.parse(startTime), value);
    }
  }
  return [...pieces.values()];
}

/** Some tags with their values, in one spelling. */
export function spell(tags: Tags, names: readonly string[] = Object.keys(tags)): string {
  return names
    .toSorted()
    .map((name) => `${name}=${tags[name] ?? ''}`)
    .join(' ');
}

/** A time as queries have it. */
export function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

export function add(numbers: readonly BigNumber[]): BigNumber {
  return numbers.reduce((sum, number) => sum.plus(number), ZERO);
}

/** Adds to what a map has under a name. */
export function addTo<Key>(sums: Map<Key, BigNumber>, key: Key, number: BigNumber): void {
  sums.set(key, (sums.get(key) ?? ZERO).plus(number));
}
