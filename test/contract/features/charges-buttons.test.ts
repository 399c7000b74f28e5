import { BigNumber } from 'bignumber.js';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { controlsOf } from '../../support/answer.ts';
import { ADA, startCharges, type Read } from './charges-support.ts';

const firstLine = ({ said }: Read) => said.split('\n')[0];
/** The question in the headline, without the total. */
const askedIn = (read: Read) => firstLine(read)?.split(' · ').slice(0, 2).join(' · ') ?? '';

/** The buttons below an answer of `/charges`, against the stand-in platform. */
describe('the buttons of an answer', () => {
  it('are there where they make sense, and sharing is asked about', async () => {
    const { ask } = await startCharges();

    const plain = await ask('last month');

    const names = controlsOf(plain.answer).map(({ placeholder, text }) => placeholder ?? text);
    expect(names.map((one) => one?.text)).toEqual(['Group by', 'Tiers', 'CSV', 'Customize']);
    expect(plain.answer.shareable).toEqual({
      question: 'It shows billing data to everyone in this channel.',
    });
    expect(plain.answer.needs).toBe('billing');
    expect((await ask('tags gvc')).answer.needs).toBe('billing');
  });

  it('group the same question by something else', async () => {
    const { ask, group } = await startCharges();
    const byOrg = await ask('last month of cpu org acme');

    const byGvc = await group(byOrg, 'gvc');
    const same = await group(byGvc, 'same');

    expect(firstLine(byGvc)).toBe(firstLine(byOrg)?.replace('by org', 'by gvc'));
    expect(byGvc.rows[0]?.[0]).toBe('GVC');
    expect(same.rows).toEqual(byGvc.rows);
    expect(byGvc.answer.controls).toMatchObject([{ initial_option: { value: 'gvc' } }]);
  });

  it('open a row as the question about it that can be typed', async () => {
    const { ask, open } = await startCharges();
    const byOrg = await ask('last month of cpu');

    const byGvc = await open(byOrg, 'acme');
    const [, [gvc = ''] = []] = byGvc.rows;
    const byWorkload = await open(byGvc, gvc);

    const typed = await ask('last month by gvc of cpu org acme');
    expect([byGvc.said, byGvc.rows]).toEqual([typed.said, typed.rows]);
    const finer = await ask(`last month by workload of cpu where gvc=${gvc} org acme`);
    expect([byWorkload.said, byWorkload.rows]).toEqual([finer.said, finer.rows]);
    // A part of the account is priced as if it were the whole.
    expect(byGvc.text).toContain('Estimate: volume discounts');
  });

  it('compare, project and warn as the same question does that is asked now', async () => {
    const { ask, group, advance } = await startCharges();
    const noon = await ask('today');
    await advance(8 * 3_600);

    const evening = await group(noon, 'gvc');
    const fresh = await ask('today by gvc');

    expect(evening.said).toBe(fresh.said);
    expect(evening.rows).toEqual(fresh.rows);
    expect(evening.said).toContain('15 October 2026 (to 20:00, UTC)');
    expect(evening.said).toContain('% vs the same hours of 14 October\n');
    await advance(72 * 3_600);
    const later = await group(noon, 'gvc');
    expect(later.said).toContain('· 15 October 2026 (UTC) ·');
    expect(later.said).toContain('% vs 14 October');
    expect(later.text).not.toMatch(/so far|about|can still change/);
    expect(evening.text).toContain('can still change');
  });

  it('ask a page of the same span also when the month is over by then', async () => {
    const { ask, turn, advance } = await startCharges();
    const first = await ask('by workload');
    await advance(40 * 86_400);

    const again = await turn(first, 2);

    expect(askedIn(first)).toBe(askedIn(again).replace('(UTC)', '(1-15, UTC)'));
    expect(again.answer.asked).toMatchObject({ page: 1 });
  });

  it('show the tiers of a line that add up to its charge, and go back', async () => {
    const { ask, press, tiersOf } = await startCharges();
    const totals = await ask('last month by gvc');
    const [, largest = [], , third = []] = totals.rows;

    const detail = await press(totals, 'Tiers');
    const other = await tiersOf(detail, third[0] ?? '');
    const back = await press(other, 'Totals');

    expect(detail.said).toContain(`Tiers of ${largest[0]} ·`);
    expect(other.said).toContain(`Tiers of ${third[0]} · ${third[1]}`);
    expect(other.rows[0]).toEqual(['Item', 'Charge', 'Tier', 'Usage', 'Rate', 'Rate plan']);
    expect(back.rows).toEqual(totals.rows);
  });

  it('put every row into a file, with exact figures that add up to the answer', async () => {
    const { ask, press, files, client } = await startCharges();
    const answer = await ask('last month by workload step week');

    const said = await press(answer, 'CSV');

    expect(files.map(({ filename }) => filename)).toEqual([
      'charges-2026-09-by-workload-per-week.csv',
    ]);
    expect(said.said).toBe(
      `All ${rowsIn(files[0]?.content).length} rows are in <https://acme.slack.com/files/U1/F1/file|charges-2026-09-by-workload-per-week.csv>, in your messages with Purser.`,
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
    await press(totals, 'CSV');
    await press(await press(totals, 'Tiers'), 'CSV');
    await press(await ask('last month by gvc'), 'CSV');

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
    await press(await press(totals, 'Tiers'), 'CSV');

    expect(periodsOf(rowsIn(files[0]?.content))).toEqual([
      '2026-08-26 2026-08-31',
      '2026-08-31 2026-09-01',
      '2026-09-01 2026-09-07',
    ]);
  });

  it('project no step that the range cuts: the platform was asked for its days', async () => {
    const { ask, press, files } = await startCharges();

    const answer = await ask('this month by gvc of cpu step week');
    await press(answer, 'CSV');

    const projected = rowsIn(files[0]?.content).map((row) => row['projected total']);
    expect(new Set(projected)).toEqual(new Set(['']));
    expect(answer.said).not.toContain('projected');
  });

  it('put every tier into a file, and the tiers are the whole', async () => {
    const { ask, press, files } = await startCharges();
    const totals = await ask('last month by org');
    await press(totals, 'CSV');

    await press(await press(totals, 'Tiers'), 'CSV');

    const [whole = [], tiers = []] = files.map(({ content }) => rowsIn(content));
    expect(files[1]?.filename).toBe('charges-2026-09-by-org-tiers.csv');
    expect(tiers.length).toBeGreaterThan(whole.filter(({ total }) => total !== '0').length);
    expect(sumOf(tiers.map(({ amount }) => amount)).toFixed(2)).toBe(
      sumOf(whole.map(({ total }) => total)).toFixed(2),
    );
    expect(tiers.filter(({ item, rate, from }) => !item || !rate || !from)).toEqual([]);
  });

  it('ask for the role again, and are of no use to another person', async () => {
    const { ask, group, press, feature, who } = await startCharges();
    const answer = await ask('last month');
    const action = feature.actions?.find(({ actionId }) => actionId === 'charges.group');

    const foreign = { person: { ...ADA, userId: 'U2' }, channelId: 'C1', answerId: 'answer-0' };
    await expect(action?.run({ ...foreign, value: 'gvc' })).rejects.toThrow(
      'This answer is too old: run the command again.',
    );

    who.isReader = false;
    await expect(group(answer, 'gvc')).rejects.toThrow('You need one of');
    for (const name of ['CSV', 'Tiers']) {
      await expect(press(answer, name)).rejects.toThrow('You need one of');
    }
  });

  it('draw the steps in the answer, up to the one that is running', async () => {
    const { ask } = await startCharges();

    const { answer } = await ask('this month by gvc step day');

    const chart = answer.blocks.find(({ type }) => (type as string) === 'data_visualization');
    expect(chart).toMatchObject({ title: 'Charges per day by gvc' });
    expect(JSON.stringify(chart)).toMatch(/"1 Oct",.*"15 Oct"\]/);
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
