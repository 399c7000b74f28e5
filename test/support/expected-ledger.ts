import { callPlatform } from './changes-raw.ts';
import type { World } from './world.ts';

interface Month {
  readonly startTime: string;
  readonly endTime: string;
  /** As people read it: "September 2026 (UTC)". */
  readonly words: string;
}

/** For so long there is nothing to estimate a month by, and at first no charge. */
const YOUNG_MS = 26 * 3_600_000;

/** The pattern of this month's figures: in its first hours it differs. */
export function monthly(later: RegExp, atFirst: RegExp): RegExp {
  const now = new Date();
  const age = now.getTime() - Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  return age < YOUNG_MS ? atFirst : later;
}

/** The calendar month before this one, in UTC. */
export function lastMonth(): Month {
  const now = new Date();
  const [start, end] = [-1, 0].map((by) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + by)).toISOString().slice(0, 10),
  );
  const name = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return {
    startTime: `${start}T00:00:00Z`,
    endTime: `${end}T00:00:00Z`,
    words: `${new Intl.DateTimeFormat('en', name).format(new Date(`${start}T00:00:00Z`))} (UTC)`,
  };
}

interface Answered {
  results: {
    periods: { groups: { key: Record<string, string>; consumptions: { total: number }[] }[] }[];
  };
}

/** The charges of a month by the values of a tag, largest first, with nothing of the bot between. */
export async function pricedRows(
  world: World,
  { startTime, endTime }: Month,
  tag: string,
): Promise<{ name: string; total: number }[]> {
  const aggregateBy = ['feature', 'metric', 'locationType', 'performanceClass', 'gpuModel', tag];
  const { results } = await callPlatform<Answered>(world, 'POST', '/charges/-query', {
    startTime,
    endTime,
    timeStep: 'month',
    groupBy: [tag],
    consumptionQueries: [{ aggregateBy }],
  });
  return results.periods
    .flatMap(({ groups }) => groups)
    .map(({ key, consumptions }) => ({
      name: key[tag] ?? '',
      total: consumptions.reduce((sum, { total }) => sum + total, 0),
    }))
    .toSorted((a, b) => b.total - a.total);
}
