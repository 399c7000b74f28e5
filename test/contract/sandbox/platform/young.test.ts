import { describe, expect, test } from 'vitest';
import { CPU, everything, OCTOBER, select, startInvoices, starts, sumOf } from './spec-support.ts';

const DAY = 86_400;
/** The 48 hours before now, and twelve more before them. */
const LAST_HOURS = {
  startTime: '2026-10-03T00:00:00Z',
  endTime: '2026-10-05T12:00:00Z',
  timeStep: 'hour',
  aggregateByTimeStep: true,
};
const SETTLED = 12;
const CART = { ...CPU, gvc: 'shop', workload: 'cart' };
const SNAPSHOTS = { feature: 'volume-sets', metric: 'snapshot-storage' };
/** Thousandths of a unit that three locations lose by rounding. */
const ROUNDED = 0.003;

async function start() {
  const apis = await startInvoices();
  return {
    ...apis,
    tell: (percent: number | null) => apis.act('young', { percent }),
    /** What each of the last hours used. */
    hoursOf: async (filterBy: object) => {
      const answer = await apis.used({ ...LAST_HOURS, consumptionQueries: select(filterBy) });
      const hours = (answer.periods ?? []).map((period) => ({ ...answer, periods: [period] }));
      return hours.map((hour) => Number(sumOf(hour, 'value')));
    },
    /** What October costs up to the time at which the test begins, exactly. */
    charged: async () => {
      const consumptionQueries = everything(await apis.catalogue());
      const range = { ...OCTOBER, endTime: LAST_HOURS.endTime, timeStep: 'hour' };
      return sumOf(await apis.charges({ ...range, consumptionQueries }), 'total');
    },
    /** Cents of the pending invoice. */
    accrued: async () => (await apis.pending())[0]?.totalCharge ?? 0,
  };
}

describe('POST /_sandbox/young', () => {
  test('hours younger than 48 hours read as the percentage, others as what they are', async () => {
    const { tell, hoursOf } = await start();
    const final = await hoursOf(CART);

    await tell(50);
    const told = await hoursOf(CART);

    expect(final).toHaveLength(60);
    expect(told.slice(0, SETTLED)).toEqual(final.slice(0, SETTLED));
    for (const [index, value] of told.slice(SETTLED).entries())
      expect(Math.abs(value - (final[SETTLED + index] ?? 0) / 2)).toBeLessThanOrEqual(ROUNDED);
  });

  test('what is priced from the bill of the provider reads so, too, until it is taken back', async () => {
    const { tell, hoursOf } = await start();
    const provisional = await hoursOf(SNAPSHOTS);

    await tell(100);
    const full = await hoursOf(SNAPSHOTS);
    await tell(30);
    const low = await hoursOf(SNAPSHOTS);
    await tell(null);

    expect(await hoursOf(SNAPSHOTS)).toEqual(provisional);
    const shares = [provisional, low].map((hours) => (hours.at(-1) ?? 0) / (full.at(-1) ?? 1));
    expect(shares[0]).toBeGreaterThan(0.9);
    expect(shares[0]).toBeLessThan(1);
    expect(shares[1]).toBeCloseTo(0.3, 5);
  });

  test.each([1, 37, 99])(
    'at %d percent the hours add up to the whole, priced or not',
    async (percent) => {
      const { tell, used, charges, catalogue } = await start();
      await tell(percent);
      const consumptionQueries = everything(await catalogue());
      const whole = { ...LAST_HOURS, aggregateByTimeStep: false, consumptionQueries };

      const hours = await charges({ ...LAST_HOURS, consumptionQueries });

      expect(starts(hours)).toHaveLength(60);
      expect(sumOf(hours, 'total')).toBe(sumOf(await charges(whole), 'total'));
      expect(sumOf(await used({ ...LAST_HOURS, consumptionQueries }), 'value')).toBe(
        sumOf(await used(whole), 'value'),
      );
    },
  );

  test('charges and the pending invoice follow: up, down again, and right two days later', async () => {
    const { tell, charged, accrued, wait } = await start();
    const sums: string[] = [];

    for (const percent of [60, 100, 20]) {
      await tell(percent);
      sums.push(await charged());
      expect(await accrued()).toBe(Math.round(Number(sums.at(-1)) * 100));
    }
    await wait(2 * DAY);

    const [low, full, lower] = sums;
    expect([Number(low) < Number(full), Number(lower) < Number(low)]).toEqual([true, true]);
    expect(await charged()).toBe(full);
  });

  test('a month that is billed is charged in full', async () => {
    const [young, other] = [await start(), await start()];
    await young.tell(10);

    for (const one of [young, other]) await one.wait(29 * DAY);

    const october = 'start=2026-10-01T00:00:00Z&end=2026-11-01T00:00:00Z';
    const [billed] = await young.list(october);
    const [expected] = await other.list(october);
    expect(billed?.totalCharge).toBeGreaterThan(0);
    expect(billed).toEqual(expected);
  });

  test('an alert that is not reached by what is told rings at the next check after it is', async () => {
    const { tell, charged, account, emails, wait } = await start();
    const amount = Number(await charged());
    await tell(50);
    await account('POST', '/alert', { body: { alert: { amount: amount * 0.9, enabled: true } } });

    await wait(1200);
    const before = await emails();
    await tell(100);
    await wait(600);

    expect(before).toEqual([]);
    expect((await emails()).map(({ at }) => at)).toContain('2026-10-05T12:30:00.000Z');
  });

  test.each([
    [0, 'body/percent must be >= 1'],
    [101, 'body/percent must be <= 100'],
    [12.5, 'body/percent must be integer,null'],
    ['half', 'body/percent must be integer,null'],
    [undefined, "body must have required property 'percent'"],
  ])('%s percent is refused', async (percent, error) => {
    const { control } = await start();

    expect(await control('young', { percent })).toEqual({ status: 400, body: { error } });
  });
});
