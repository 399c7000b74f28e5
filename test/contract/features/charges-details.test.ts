import { BigNumber } from 'bignumber.js';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { buttonsOf, spoken } from '../../support/answer.ts';
import { startCharges, type Read } from './charges-support.ts';

function cellsIn(content: unknown): string[][] {
  return parse(Buffer.from(content as Uint8Array));
}

/** Notes, tiers and suggestions of `/charges` beside its figures, against the stand-in platform. */
it('the tiers of a line come with the notes of that line, and of no other', async () => {
  const { ask, press, tiersOf } = await startCharges();
  const all = await press(await ask('this month by metric'), 'Tiers');

  const cpu = await tiersOf(all, 'cpu');
  const balanced = await tiersOf(all, 'load-balancer-processed-bytes');

  expect(cpu.said).toContain('Tiers of cpu ·');
  expect(cpu.text).toContain('Not priced');
  expect(cpu.text).not.toMatch(/still change|same volumes|memory|egress|-storage/);
  expect(balanced.text).toMatch(/`load-balancer-processed-bytes` of the last 48 hours/);
  expect(balanced.text).not.toMatch(/snapshot-storage|same volumes/);
});

describe('an answer without figures', () => {
  it.each([
    ['last month', '`/charges last 3 months where gvc=nowhere`'],
    ['last 3 months', '`/charges last 12 months where gvc=nowhere`'],
    ['last 7 days by gvc', '`/charges this year by gvc where gvc=nowhere`'],
    ['this month', '`/charges this year where gvc=nowhere`'],
  ])('of %s suggests a wider range that includes it', async (range, wider) => {
    const { ask } = await startCharges();

    const { answer } = await ask(`${range} where gvc=nowhere`);

    expect(spoken(answer)).toContain(`a wider range: ${wider}`);
  });

  it.each(['last 12 months', '2025-08-01..2025-08-31 step month'])(
    'of %s suggests none when no wider range includes it',
    async (range) => {
      const { ask } = await startCharges();

      expect((await ask(`${range} where gvc=nowhere`)).said).not.toContain('wider');
    },
  );

  it('of a range that has not begun suggests the current month, not a wider range', async () => {
    const { ask } = await startCharges();

    const { answer } = await ask('2026-12 by gvc');

    expect(spoken(answer)).toContain('this month so far: `/charges this month by gvc`');
    expect(spoken(answer)).not.toContain('wider');
  });
});

describe('beyond the kept time', () => {
  it('the earliest start is named, and is a button', async () => {
    const { ask } = await startCharges();

    const { answer } = await ask('2025-08-15..2025-10-20 by gvc');

    expect(spoken(answer)).toContain(
      'ask from 1 October 2025 on, or for whole months without a step.',
    );
    expect(buttonsOf(answer)).toEqual(['From 1 October 2025', 'Whole months']);
  });

  it('no start is offered when the whole range is too old', async () => {
    const { ask } = await startCharges();

    const { answer } = await ask('2025-08-15..2025-08-20 by gvc');

    expect(spoken(answer)).toContain(
      'not all of 15-20 August 2025: ask for whole months without a step.',
    );
    expect(buttonsOf(answer)).toEqual(['Whole months']);
  });
});

it('the span before is asked for as a whole, because its steps are not shown', async () => {
  const { ask, calls } = await startCharges();

  await ask('last month step day');

  const asked = (await calls()).flatMap(({ path, body }) =>
    path.endsWith('-query') ? [body] : [],
  );
  expect(asked).toMatchObject([
    { startTime: '2026-09-01T00:00:00Z', timeStep: 'day', aggregateByTimeStep: true },
    { startTime: '2026-08-01T00:00:00Z', timeStep: 'month', aggregateByTimeStep: false },
  ]);
});

describe('a file', () => {
  it('has what the answer has not: units, rate plans, and the projection of each row', async () => {
    const { ask, press, files, client } = await startCharges();
    await press(await ask('this month by gvc,gpuModel of cpu,volume_set_capacity'), 'CSV');

    const [heads = [], ...rows] = cellsIn(files[0]?.content);
    expect(heads).toEqual([
      'period start',
      'period end',
      'gvc',
      'gpuModel',
      'feature',
      'metric',
      'locationType',
      'performanceClass',
      'value',
      'unit',
      'total',
      'projected total',
      'currency',
      'rate plans',
    ]);
    const named = rows.map((row) => Object.fromEntries(heads.map((head, at) => [head, row[at]])));
    const units = new Set(named.map(({ metric, unit }) => `${metric} in ${unit}`));
    expect(units).toEqual(new Set(['cpu in core-seconds', 'volume_set_capacity in GB-seconds']));
    expect(new Set(named.map(({ gpuModel }) => gpuModel))).toEqual(new Set(['']));
    expect(new Set(named.map(({ currency }) => currency))).toEqual(new Set(['USD']));
    const { value } = await client.charges.account({
      startTime: '2026-10-01T00:00:00Z',
      endTime: '2026-11-01T00:00:00Z',
      timeStep: 'month',
      groupBy: ['org'],
      consumptionQueries: [
        {
          filterBy: { metric: '/^(cpu|volume_set_capacity)$/' },
          aggregateBy: ['org', 'metric', 'feature', 'locationType', 'performanceClass'],
        },
      ],
    });
    const account = value.periods.flatMap(({ groups }) => groups.flatMap((group) => group.rows));
    const sum = (amounts: (BigNumber.Value | undefined)[]) =>
      amounts.reduce<BigNumber>((all, one) => all.plus(one ?? 0), new BigNumber(0)).toFixed(2);
    expect(sum(named.map((row) => row['projected total']))).toBe(
      sum(account.map(({ projectedTotal }) => projectedTotal)),
    );
    expect(sum(named.map(({ total }) => total))).toBe(sum(account.map(({ total }) => total)));
  });

  it('of nothing is not sent', async () => {
    const { ask, press, files } = await startCharges();
    const empty = await ask('last month where gvc=nowhere');
    const { answer } = empty;
    const gone = {
      ...empty,
      answer: { ...answer, menu: [{ text: 'CSV', action: 'charges.csv' }] },
    };

    await expect(press(empty, 'CSV')).rejects.toThrow('no button');
    expect((await press(gone, 'CSV')).said).toContain(
      'These charges are no longer there, so no file was made: ask again with `/charges',
    );
    expect(files).toEqual([]);
  });
});

it('the values of a tag are those of the orgs and the metrics that are asked for', async () => {
  const { ask, calls } = await startCharges();

  const all = await ask('tags gvc last month');
  const some = await ask('tags gvc last month of cpu org globex');

  const bodies = (await calls()).map(({ body }) => body);
  expect(bodies).toContainEqual({
    startTime: '2026-09-01T00:00:00Z',
    endTime: '2026-10-01T00:00:00Z',
    tag: 'gvc',
    filterBy: { org: 'globex', metric: 'cpu' },
  });
  const count = ({ said }: Read) => Number(/^(\d+) values? of/m.exec(said)?.[1]);
  expect(count(some)).toBeGreaterThan(0);
  expect(count(some)).toBeLessThan(count(all));
});

it('the role is checked before the form shows what there is', async () => {
  const { ask, customize, who, calls } = await startCharges();
  const answer = await ask('last month');
  const before = (await calls()).length;
  who.isReader = false;

  await expect(customize(answer)).rejects.toThrow('You need one of');
  expect((await calls()).length).toBe(before);
});
