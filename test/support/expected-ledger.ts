import type { World } from './world.ts';

const ACCOUNT = '5f0c9d3e-8a41-4b7e-9c26-d1a7e3b0f482';
const TOKEN = 'svc-bsat-sandbox-all';

interface Month {
  readonly startTime: string;
  readonly endTime: string;
  /** As people read it: "2026-09-01 00:00 to 2026-10-01 00:00 UTC". */
  readonly words: string;
}

/** The calendar month before this one, in UTC. */
export function lastMonth(): Month {
  const now = new Date();
  const [start, end] = [-1, 0].map((by) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + by)).toISOString().slice(0, 10),
  );
  return {
    startTime: `${start}T00:00:00Z`,
    endTime: `${end}T00:00:00Z`,
    words: `${start} 00:00 to ${end} 00:00 UTC`,
  };
}

interface Answered {
  results: {
    periods: { groups: { key: Record<string, string>; consumptions: { total: number }[] }[] }[];
  };
}

/** The charges of a month by the values of a tag, largest first, with nothing of the bot between. */
export async function pricedRows(
  { billingUrl }: World,
  { startTime, endTime }: Month,
  tag: string,
): Promise<{ name: string; total: number }[]> {
  const answer = await fetch(`${billingUrl}/account/${ACCOUNT}/charges/-query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      startTime,
      endTime,
      timeStep: 'month',
      groupBy: [tag],
      consumptionQueries: [
        { aggregateBy: ['feature', 'metric', 'locationType', 'performanceClass', 'gpuModel', tag] },
      ],
    }),
  });
  const { results } = (await answer.json()) as Answered;
  return results.periods
    .flatMap(({ groups }) => groups)
    .map(({ key, consumptions }) => ({
      name: key[tag] ?? '',
      total: consumptions.reduce((sum, { total }) => sum + total, 0),
    }))
    .toSorted((a, b) => b.total - a.total);
}
