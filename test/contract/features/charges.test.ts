import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/lib/errors.ts';
import type { ChargeBody } from '../../../src/platform/billing/charges.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import type { Reading } from '../../../src/platform/concurrency.ts';
import { MAIN, SEPTEMBER } from '../platform/billing/support.ts';
import { buttonsOf, controlOf, controlsOf, spoken } from '../../support/answer.ts';
import { startCharges } from './charges-support.ts';

/** `/charges` against the stand-in platform, over HTTP. */
describe('an answer of /charges', () => {
  it('has the exact span, the projection, and the change from the span before', async () => {
    const { ask } = await startCharges();

    const { said, rows } = await ask('');

    const [headline, ahead] = said.split('\n');
    expect(headline).toMatch(
      /^Charges by org · October 2026 \(1-15, UTC\) · \$[\d,.]+ so far, [+−][\d.]+% vs 1-15 September$/,
    );
    expect(ahead).toMatch(/^Projected: about \$[\d,]+ by 31 October$/);
    expect(rows.map(([org]) => org)).toEqual(['Org', 'acme', 'globex', 'initech']);
  });

  it('equals the invoice of the month, to the cent', async () => {
    const { ask, client } = await startCharges();
    const { value } = await client.listInvoices(SEPTEMBER);
    const due = value.items[0]?.totalCharge ?? new BigNumber(0);

    const { answer } = await ask('2026-09');

    expect(moneyIn(spoken(answer).split('\n')[0])).toEqual(due.shiftedBy(-2).toFormat(2));
  });

  it('asks the account form for the tags that prices depend on', async () => {
    const { ask, calls } = await startCharges();

    await ask('last month by gvc of cpu,memory where workload=/^web/ org acme,globex step day');

    const queries = (await calls()).filter(({ path }) => path.endsWith('/charges/-query'));
    expect(queries.map(({ path }) => path)).toEqual(
      [1, 2].map(() => `/billing/account/${MAIN}/charges/-query`),
    );
    expect(queries.map(({ body }) => body)).toContainEqual({
      startTime: '2026-09-01T00:00:00Z',
      endTime: '2026-10-01T00:00:00Z',
      timeStep: 'day',
      aggregateByTimeStep: true,
      groupBy: ['gvc'],
      consumptionQueries: [
        {
          filterBy: { metric: '/^(cpu|memory)$/', workload: '/^web/' },
          aggregateBy: ['feature', 'metric', 'locationType', 'performanceClass', 'gvc', 'gpuModel'],
        },
      ],
      orgs: ['acme', 'globex'],
    });
  });

  it('without figures names the question, and a next step', async () => {
    const { ask } = await startCharges();

    const { answer, text } = await ask('last month where gvc=nowhere');

    expect(spoken(answer).split('\n')).toEqual([
      'Charges by org where `gvc=nowhere` · September 2026 (UTC)',
      'No charges found. Try',
      'a wider range: `/charges last 3 months where gvc=nowhere`',
      'without filters: `/charges last month`',
      'the values of a tag: `/charges tags gvc last 3 months`',
    ]);
    expect(text).not.toMatch(/[⚠ℹ]/);
    expect(controlsOf(answer).map(({ action_id: id }) => id)).toEqual(['charges.customize']);
  });

  it('beyond the kept time offers the earliest start and the whole months', async () => {
    const { ask, press } = await startCharges();

    const refused = await ask('2025-08-15..2025-10-20 by gvc');
    const answered = await press(refused, 'charges.from');

    expect(refused.said).toContain('only since 1 October 2025');
    expect(buttonsOf(refused.answer)).toEqual(['From 1 October 2025', 'Whole months']);
    expect(controlOf(refused.answer, 'Whole months').value).toBe(
      '/charges 2025-08..2025-10 by gvc',
    );
    expect(answered.said).toContain('Charges by gvc · 1-20 October 2025 (UTC)');
    expect(answered.said).toContain('No change is shown: no data for 11-30 September');
  });
});

describe('caveats', () => {
  it('come with a part of the account, and not with the whole', async () => {
    const { ask } = await startCharges();
    const tiers = 'the invoice may differ';

    expect((await ask('last month')).text).not.toContain(tiers);
    expect((await ask('last month org acme')).text).toMatch(
      /Estimate: volume discounts depend on the whole account.* the invoice may differ/,
    );
    expect((await ask('last month of cpu')).text).toContain(tiers);
    expect((await ask('last month item cpu')).text).toContain(tiers);
    expect((await ask('last month where gvc=shop')).text).toContain(tiers);
    expect((await ask('last month org acme,globex')).text).toContain(tiers);
    expect((await ask('last month org acme,globex,initech')).text).not.toContain(tiers);
    expect((await ask('last month where gvc=nowhere')).text).not.toContain(tiers);
  });

  it('warn of charges that can still be revised, and not of those older than 48 h', async () => {
    const { ask } = await startCharges();
    const revised = 'can still change';

    expect((await ask('this month')).text).toContain(revised);
    expect((await ask('2026-10-01..2026-10-13')).text).toContain(revised);
    expect((await ask('2026-10-01..2026-10-12')).text).not.toContain(revised);
    expect((await ask('this month of cpu')).text).not.toContain(revised);
  });

  it.each([
    ['gave no answer', () => Promise.reject(new PlatformError('timeout', 'no answer'))],
    [
      'has a row that cannot be read',
      async (read: () => Promise<Reading<ChargeBody>>) => {
        const reading = await read();
        const said = Buffer.from(reading.value.body).toString();
        const body = Buffer.from(said.replace('"total":', '"toll":'));
        return { ...reading, value: { ...reading.value, body } };
      },
    ],
  ])('show when the span before %s, and answer all the same', async (_, answer) => {
    const { ask } = await startCharges((client) => ({
      ...client,
      charges: {
        ...client.charges,
        accountBody: (query, options) => {
          const read = () => client.charges.accountBody(query, options);
          return query.startTime.startsWith('2026-08') ? answer(read) : read();
        },
      },
    }));

    const { text, rows } = await ask('last month');

    expect(text).toContain('⚠ No change is shown: August could not be read');
    expect(text).not.toContain('there is no data');
    expect(rows[0]).toEqual(['Org', 'Charge', 'Share', 'Next']);
  });
});

it.each([
  ['itms', '/charges items'],
  ['items last month', '/charges items'],
  ['tgas', '/charges tags gvc'],
])('"%s" is answered with a suggestion', async (words, suggestion) => {
  const { ask } = await startCharges();

  await expect(ask(words)).rejects.toMatchObject({ suggestion });
});

it('words that cannot be read are no question to the platform, nor about the role', async () => {
  const { ask, who, calls } = await startCharges();
  who.isReader = false;

  await expect(ask('by')).rejects.toThrow(UsageError);
  await expect(ask('last month')).rejects.toThrow('You need one of billing_admin, billing_viewer.');
  expect(await calls()).toEqual([]);
});

function moneyIn(text = ''): string | undefined {
  return /\$([\d,]+\.\d\d)/.exec(text)?.[1];
}
