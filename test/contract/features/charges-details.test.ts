import { BigNumber } from 'bignumber.js';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { controlsOf } from '../../support/answer.ts';
import { startCharges, type Read } from './charges-support.ts';

const ada = { userId: 'U1', teamId: 'T1' };

/** The value of the menu's entry that is called so. */
function choiceOf({ answer }: Read, name: string): string | undefined {
  const menu = controlsOf(answer).find(({ action_id: id }) => id === 'charges.tiers-of');
  return menu?.options?.find(({ text }) => text.text.endsWith(`· ${name}`))?.value;
}

function cellsIn(content: unknown): string[][] {
  return parse(Buffer.from(content as Uint8Array));
}

/** What `/charges` says beside its figures, against the stand-in platform. */
it('the tiers of a line come with what is said of that line, and of no other', async () => {
  const { ask, press, act } = await startCharges();
  const all = await press(await ask('this month by metric'), 'charges.detail');

  const cpu = await act('charges.tiers-of', choiceOf(all, 'cpu'));
  const balanced = await act('charges.tiers-of', choiceOf(all, 'load-balancer-processed-bytes'));

  expect(cpu.answer.text).toContain('Tiers of *cpu*');
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
  ])('of %s suggests a wider range that has all of it', async (range, wider) => {
    const { ask } = await startCharges();

    const { answer } = await ask(`${range} where gvc=nowhere`);

    expect(answer.text).toContain(`• a wider range: ${wider}`);
  });

  it.each(['last 12 months', '2025-08-01..2025-08-31 step month'])(
    'of %s suggests none, where none that has all of it is wider',
    async (range) => {
      const { ask } = await startCharges();

      expect((await ask(`${range} where gvc=nowhere`)).answer.text).not.toContain('wider');
    },
  );

  it('of a range that has not begun suggests what there is, not what lies before', async () => {
    const { ask } = await startCharges();

    const { answer } = await ask('2026-12 by gvc');

    expect(answer.text).toContain('• this month so far: `/charges this month by gvc`');
    expect(answer.text).not.toContain('wider');
  });
});

describe('beyond what is kept', () => {
  it('the earliest start is said, also where its button cannot be kept', async () => {
    const { ask, who } = await startCharges();
    who.isKept = false;

    const { answer } = await ask('2025-08-15..2025-10-20 by gvc');

    expect(answer.text).toContain(
      'ask from 1 October 2025 on, or for whole months without a step.',
    );
    expect(controlsOf(answer)).toEqual([]);
  });

  it('no start is offered where all of the range is', async () => {
    const { ask } = await startCharges();

    const { answer } = await ask('2025-08-15..2025-08-20 by gvc');

    expect(answer.text).toContain(
      'not all of 15-20 August 2025: ask for whole months without a step.',
    );
    expect(controlsOf(answer)).toEqual([]);
  });
});

it('the span before is asked for as a whole, because nobody sees its steps', async () => {
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
    await press(await ask('this month by gvc,gpuModel of cpu,volume_set_capacity'), 'charges.csv');

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
    const { ask, press, act, files } = await startCharges();
    const empty = await ask('last month where gvc=nowhere');
    const kept = controlsOf(empty.answer)[0]?.value;

    await expect(act('charges.csv', kept)).rejects.toThrow('There is nothing for a file any more.');
    await expect(press(await ask('last month'), 'charges.chart')).rejects.toThrow('no button');
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
  const count = ({ answer }: Read) => Number(/\*(\d+) values? of/.exec(answer.text)?.[1]);
  expect(count(some)).toBeGreaterThan(0);
  expect(count(some)).toBeLessThan(count(all));
});

it('who may look is asked before the form shows what there is', async () => {
  const { ask, feature, who, calls } = await startCharges();
  const { answer } = await ask('last month');
  const value = controlsOf(answer).find(({ action_id: id }) => id === 'charges.customize')?.value;
  const before = (await calls()).length;
  who.isReader = false;

  const shown: unknown[] = [];
  const filled = feature.forms[0]?.fill({ person: ada, channelId: 'C1', value }, async (form) => {
    shown.push(form);
  });

  await expect(filled).rejects.toThrow('You need one of');
  expect([shown, (await calls()).length]).toEqual([[], before]);
});

it('an answer that cannot be kept says why it has no buttons', async () => {
  const { ask, who } = await startCharges();
  who.isKept = false;
  const said = 'The buttons are missing just now: run the command again in a minute';

  expect((await ask('last month by workload')).text).toContain(said);
  expect((await ask('items')).text.includes(said)).toBe(
    (await ask('items')).text.includes('Page 1'),
  );
  expect((await ask('tags gvc')).text).not.toContain(said);
});
