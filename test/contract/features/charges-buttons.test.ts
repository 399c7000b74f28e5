import { BigNumber } from 'bignumber.js';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { controlsOf } from '../../support/answer.ts';
import { startCharges, type Read } from './charges-support.ts';

const ada = { userId: 'U1', teamId: 'T1' };
const idsOf = ({ answer }: Read) => controlsOf(answer).map(({ action_id: id }) => id);
const firstLine = ({ answer }: Read) => answer.text.split('\n')[0];

/** The buttons below an answer of `/charges`, against the stand-in platform. */
describe('the buttons of an answer', () => {
  it('are there where they make sense, and sharing is asked about', async () => {
    const { ask } = await startCharges();

    const plain = await ask('last month');
    const paged = await ask('last month by workload step day');

    expect(idsOf(plain)).toEqual(
      ['by-org', 'by-gvc', 'by-workload', 'by-metric', 'detail', 'csv', 'customize'].map(
        (name) => `charges.${name}`,
      ),
    );
    expect(idsOf(paged)).toContain('charges.chart');
    expect(idsOf(paged)).toContain('charges.next');
    expect(plain.answer.shareable).toEqual({
      question: 'It shows billing data to everyone in this channel.',
    });
    expect(plain.answer.needs).toBe('billing');
    expect((await ask('tags gvc')).answer.needs).toBe('billing');
  });

  it('group the same question by something else', async () => {
    const { ask, press } = await startCharges();
    const byOrg = await ask('last month of cpu org acme');

    const byGvc = await press(byOrg, 'charges.by-gvc');

    expect(firstLine(byGvc)).toBe(firstLine(byOrg)?.replace('by org', 'by gvc'));
    expect(byGvc.rows[0]?.[0]).toBe('gvc');
    const marked = ({ answer }: Read) =>
      controlsOf(answer).flatMap(({ action_id: id, style }) => (style === 'primary' ? [id] : []));
    expect([marked(byOrg), marked(byGvc)]).toEqual([['charges.by-org'], ['charges.by-gvc']]);
  });

  it('compare, project and warn as the same question does that is asked now', async () => {
    const { ask, press, advance } = await startCharges();
    const noon = await ask('today');
    await advance(8 * 3_600);

    const evening = await press(noon, 'charges.by-gvc');
    const fresh = await ask('today by gvc');

    expect(evening.answer.text).toBe(fresh.answer.text);
    expect(evening.rows).toEqual(fresh.rows);
    expect(evening.answer.text).toContain('15 October 2026 (to 20:00, UTC)\n');
    expect(evening.answer.text).toContain('% vs the same hours of 14 October\n');
    await advance(72 * 3_600);
    const later = await press(noon, 'charges.by-gvc');
    expect(later.answer.text).toContain('· 15 October 2026 (UTC)\n');
    expect(later.answer.text).toContain('% vs 14 October');
    expect(later.text).not.toMatch(/so far|about|can still change/);
    expect(evening.text).toContain('can still change');
  });

  it('turn the pages, and mean the same span also when the month is over by then', async () => {
    const { ask, press, advance } = await startCharges();
    const first = await ask('by workload');
    await advance(40 * 86_400);

    const second = await press(first, 'charges.next');
    const back = await press(second, 'charges.previous');

    expect(firstLine(first)).toBe(firstLine(second)?.replace('(UTC)', '(1-15, UTC)'));
    expect(idsOf(first)).not.toContain('charges.previous');
    expect(idsOf(second)).toContain('charges.previous');
    const labels = ({ rows }: Read) => rows.slice(1, -1).map(([label]) => label);
    expect(labels(second).filter((label) => labels(back).includes(label))).toEqual([]);
  });

  it('show the tiers of a line that add up to its charge, and go back', async () => {
    const { ask, press, act } = await startCharges();
    const totals = await ask('last month by gvc');

    const detail = await press(totals, 'charges.detail');
    const menu = controlsOf(detail.answer).find(({ action_id: id }) => id === 'charges.tiers-of');
    const chosen = menu?.options?.[2];
    const other = await act('charges.tiers-of', chosen?.value);
    const back = await press(other, 'charges.totals');

    expect(detail.answer.text).toContain(`Tiers of *${totals.rows[1]?.[0]}*`);
    expect(chosen?.text.text).toBe(`${totals.rows[3]?.[1]} · ${totals.rows[3]?.[0]}`);
    expect(other.answer.text).toContain(`Tiers of *${totals.rows[3]?.[0]}*`);
    expect(other.rows[0]).toEqual(['Item', 'Amount', 'Tier', 'Units', 'Rate']);
    expect(back.rows).toEqual(totals.rows);
  });

  it('put every row into a file, with exact figures that add up to the answer', async () => {
    const { ask, press, files, client } = await startCharges();
    const answer = await ask('last month by workload step week');

    const said = await press(answer, 'charges.csv');

    expect(files.map(({ filename }) => filename)).toEqual(['charges-2026-09.csv']);
    expect(said.answer.text).toBe(
      `All ${rowsIn(files[0]?.content).length} rows are in <https://acme.slack.com/files/U1/F1/file|charges-2026-09.csv>, in your messages with Purser.`,
    );
    const { value } = await client.charges.account({
      startTime: '2026-09-01T00:00:00Z',
      endTime: '2026-10-01T00:00:00Z',
      timeStep: 'month',
      groupBy: ['org'],
      consumptionQueries: [
        { aggregateBy: ['org', 'metric', 'feature', 'locationType', 'performanceClass'] },
      ],
    });
    const month = value.periods.flatMap(({ groups }) => groups.flatMap(({ rows }) => rows));
    const cents = (sum: BigNumber) => sum.toFixed(2);
    expect(cents(sumOf(rowsIn(files[0]?.content).map(({ total }) => total)))).toBe(
      cents(sumOf(month.map(({ total }) => total))),
    );
  });

  it('put weeks into a file where weeks are shown, also those that a month cuts', async () => {
    const { ask, press, files } = await startCharges();
    const weeks = [
      '2026-09-01 2026-09-07',
      '2026-09-07 2026-09-14',
      '2026-09-14 2026-09-21',
      '2026-09-21 2026-09-28',
      '2026-09-28 2026-10-01',
    ];

    const totals = await ask('last month by gvc step week');
    await press(totals, 'charges.csv');
    await press(await press(totals, 'charges.detail'), 'charges.csv');
    await press(await ask('last month by gvc'), 'charges.csv');

    const [charges = [], tiers = [], month = []] = files.map(({ content }) => rowsIn(content));
    expect(periodsOf(charges)).toEqual(weeks);
    expect(periodsOf(tiers)).toEqual(weeks);
    expect(charges.length).toBeLessThan(weeks.length * month.length + 1);
    const cents = (rows: Record<string, string>[], column: string) =>
      sumOf(rows.map((row) => row[column])).toFixed(2);
    expect(cents(charges, 'total')).toBe(cents(month, 'total'));
    expect(cents(tiers, 'amount')).toBe(cents(month, 'total'));
  });

  it('put a week into the file of tiers as far as it lies in a billing period', async () => {
    const { ask, press, files } = await startCharges();

    const totals = await ask('2026-08-26..2026-09-06 by org of cpu step week');
    await press(await press(totals, 'charges.detail'), 'charges.csv');

    expect(periodsOf(rowsIn(files[0]?.content))).toEqual([
      '2026-08-26 2026-08-31',
      '2026-08-31 2026-09-01',
      '2026-09-01 2026-09-07',
    ]);
  });

  it('project no step that the range cuts: the platform was asked for its days', async () => {
    const { ask, press, files } = await startCharges();

    const answer = await ask('this month by gvc of cpu step week');
    await press(answer, 'charges.csv');

    const projected = rowsIn(files[0]?.content).map((row) => row['projected total']);
    expect(new Set(projected)).toEqual(new Set(['']));
    expect(answer.answer.text).not.toContain('projected');
  });

  it('put every tier into a file, and the tiers are the whole', async () => {
    const { ask, press, files } = await startCharges();
    const totals = await ask('last month by org');
    await press(totals, 'charges.csv');

    await press(await press(totals, 'charges.detail'), 'charges.csv');

    const [whole = [], tiers = []] = files.map(({ content }) => rowsIn(content));
    expect(files[1]?.filename).toBe('charges-2026-09-tiers.csv');
    expect(tiers.length).toBeGreaterThan(whole.filter(({ total }) => total !== '0').length);
    expect(sumOf(tiers.map(({ amount }) => amount)).toFixed(2)).toBe(
      sumOf(whole.map(({ total }) => total)).toFixed(2),
    );
    expect(tiers.filter(({ item, rate, from }) => !item || !rate || !from)).toEqual([]);
  });

  it('draw the steps, and describe the picture to those who cannot see it', async () => {
    const { ask, press, charts, files } = await startCharges();

    const said = await press(await ask('this month by gvc step day'), 'charges.chart');

    const [chart] = charts;
    expect(chart?.steps.map(({ running }) => running).indexOf(true)).toBe(14);
    expect(chart?.series.map(({ name }) => name)).toHaveLength(6);
    expect(files[0]).toMatchObject({ filename: 'charges-2026-10.png', userId: 'U1' });
    expect(files[0]?.altText).toContain('31 bars, one per day');
    expect(said.answer.text).toContain('The chart is in');
  });

  it('ask for the role again, and are of no use to another person', async () => {
    const { ask, feature, press, who } = await startCharges();
    const answer = await ask('last month');
    const value = controlsOf(answer.answer)[0]?.value;
    const next = feature.actions?.find(({ actionId }) => actionId === 'charges.by-gvc');

    const stolen = next?.run({ person: { ...ada, userId: 'U2' }, channelId: 'C1', value });
    await expect(stolen).rejects.toThrow('This answer is too old: run the command again.');

    who.isReader = false;
    for (const action of ['charges.by-gvc', 'charges.csv', 'charges.detail']) {
      await expect(press(answer, action)).rejects.toThrow('You need one of');
    }
  });
});

function rowsIn(content: unknown): Record<string, string>[] {
  return parse(Buffer.from(content as Uint8Array), { columns: true });
}

/** The spans of rows, each once, in their order. */
function periodsOf(rows: readonly Record<string, string>[]): string[] {
  const spans = rows.map((row) => {
    const ends = [row['period start'], row['period end']];
    return ends.map((end) => end?.slice(0, 10)).join(' ');
  });
  return [...new Set(spans)];
}

function sumOf(amounts: readonly (BigNumber.Value | undefined)[]): BigNumber {
  return amounts.reduce<BigNumber>((sum, one) => sum.plus(one ?? 0), new BigNumber(0));
}
