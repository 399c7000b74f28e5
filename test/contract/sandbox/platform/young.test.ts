import { expect, test } from 'vitest';
import { CPU, everything, OCTOBER, select, startInvoices, sumOf } from './spec-support.ts';

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

/** `POST /_sandbox/young`: hours younger than 48 hours read as a percentage of their usage. */
async function start() {
  const apis = await startInvoices();
  const consumptionQueries = everything(await apis.catalogue());
  return {
    ...apis,
    consumptionQueries,
    young: (percent: number | null) => apis.act('young', { percent }),
    /** The usage of each of the last hours. */
    hoursOf: async (filterBy: object) => {
      const answer = await apis.used({ ...LAST_HOURS, consumptionQueries: select(filterBy) });
      const hours = (answer.periods ?? []).map((period) => ({ ...answer, periods: [period] }));
      return hours.map((hour) => Number(sumOf(hour, 'value')));
    },
    /** The exact charges of October up to the time at which the test begins. */
    charged: async () => {
      const range = { ...OCTOBER, endTime: LAST_HOURS.endTime, timeStep: 'hour' };
      return sumOf(await apis.charges({ ...range, consumptionQueries }), 'total');
    },
  };
}

test('younger hours read as the percentage, others as they are', async () => {
  const { young, hoursOf } = await start();
  const final = await hoursOf(CART);

  await young(50);
  const shown = await hoursOf(CART);

  expect(final).toHaveLength(60);
  expect(shown.slice(0, SETTLED)).toEqual(final.slice(0, SETTLED));
  for (const [index, value] of shown.slice(SETTLED).entries())
    expect(Math.abs(value - (final[SETTLED + index] ?? 0) / 2)).toBeLessThanOrEqual(ROUNDED);
});

test('provider-priced usage follows, too, until the setting is taken back', async () => {
  const { young, hoursOf } = await start();
  const provisional = await hoursOf(SNAPSHOTS);

  await young(100);
  const full = await hoursOf(SNAPSHOTS);
  await young(30);
  const low = await hoursOf(SNAPSHOTS);
  await young(null);

  expect(await hoursOf(SNAPSHOTS)).toEqual(provisional);
  const shares = [provisional, low].map((hours) => (hours.at(-1) ?? 0) / (full.at(-1) ?? 1));
  expect(shares[0]).toBeGreaterThan(0.9);
  expect(shares[0]).toBeLessThan(1);
  expect(shares[1]).toBeCloseTo(0.3, 5);
});

test.each([1, 37, 99])('at %d percent the hours add up to the whole', async (percent) => {
  const { young, used, charges, consumptionQueries } = await start();
  await young(percent);
  const hours = { ...LAST_HOURS, consumptionQueries };
  const whole = { ...hours, aggregateByTimeStep: false };

  expect(sumOf(await charges(hours), 'total')).toBe(sumOf(await charges(whole), 'total'));
  expect(sumOf(await used(hours), 'value')).toBe(sumOf(await used(whole), 'value'));
});

test('charges and the pending invoice go up and down, and are final two days later', async () => {
  const { young, charged, pending, wait } = await start();
  const sums: string[] = [];

  for (const percent of [60, 100, 20]) {
    await young(percent);
    sums.push(await charged());
    const accrued = (await pending())[0]?.totalCharge;
    expect(accrued).toBe(Math.round(Number(sums.at(-1)) * 100));
  }
  await wait(2 * DAY);

  const [low, full, lower] = sums;
  expect([Number(low) < Number(full), Number(lower) < Number(low)]).toEqual([true, true]);
  expect(await charged()).toBe(full);
});

test('an alert that the percentage keeps back fires at the next check after it', async () => {
  const { young, charged, ask, emails, wait } = await start();
  const amount = Number(await charged()) * 0.9;
  await young(50);
  await ask('POST /alert', { alert: { amount, enabled: true } });

  await wait(1200);
  const before = await emails();
  await young(100);
  await wait(600);

  expect(before).toEqual([]);
  expect((await emails()).map(({ at }) => at)).toContain('2026-10-05T12:30:00.000Z');
});
