import { BigNumber } from 'bignumber.js';
import { parse } from 'lossless-json';

import {
  createSandboxPlatform,
  type SandboxPlatform,
} from '../../../../src/sandbox/platform/server.ts';
import { VIEWER } from '../billing/support.ts';
import { startClients } from '../clients.ts';
import { member, rowsIn } from '../hostile/rules.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const ZERO = new BigNumber(0);

/** Tag -> value; a tag that does not apply is the empty string. */
export type Tags = Readonly<Record<string, string>>;

/** Usage that some tags do not distinguish: start of a step (ms since the epoch) -> usage in the step. */
export interface Piece {
  readonly tags: Tags;
  readonly used: ReadonlyMap<number, BigNumber>;
}

/** A stand-in with its clock at `now`, clients without a cache, and calls without clients. */
export async function startAt(now: string) {
  const platform = createSandboxPlatform({ now: () => Date.parse(now) });
  await platform.listen();
  const clients = startClients(platform.url, {
    account: VIEWER,
    orgKeyOf: (org) => platform.tokens[org],
    now: () => platform.clock.now(),
  });
  return {
    platform,
    ...clients,
    close: async () => {
      await clients.close();
      await platform.close();
    },
  };
}

/** A call with nothing between, its numbers exact. */
async function askRaw(url: string, token: string | undefined, body?: object) {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${text}`);
  return parse(text, null, (digits) => new BigNumber(digits));
}

/** The usage of an org in each step of a range, in the smallest pieces that `tags` distinguish. */
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
  for (const period of rowsIn(answer, 'periods')) {
    const start = Date.parse(String(member(period, 'startTime')));
    for (const row of rowsIn(period, 'groups', 'consumptions')) {
      const tags = Object.fromEntries(
        aggregateBy.map((tag) => [tag, String(member(row, 'tags', tag))]),
      );
      const piece = pieces.get(spell(tags)) ?? { tags, used: new Map() };
      pieces.set(spell(tags), piece);
      piece.used.set(start, member(row, 'value'));
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
