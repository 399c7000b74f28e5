import { BigNumber } from 'bignumber.js';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';

import { formatInUnit, unitsOfMetrics } from '../../../src/reporting/quantity.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { ADMIN, MAIN } from '../platform/billing/support.ts';
import { spoken, textOf } from '../../support/answer.ts';
import { startCharges, type Read } from './charges-support.ts';
import { rowsOf, startUsage } from './usage-support.ts';
const SEPTEMBER = { startTime: '2026-09-01T00:00:00Z', endTime: '2026-10-01T00:00:00Z' };
const TAGS = ['feature', 'metric', 'locationType', 'performanceClass', 'gpuModel'];
const firstLine = ({ said }: Read) => said.split('\n')[0];
/** A long one follows its headline. */
const questionIn = ({ said }: Read) => said.split('\n').slice(0, 2).join('\n');

interface Answered {
  readonly periods: readonly {
    readonly groups: readonly {
      readonly key: Readonly<Record<string, string>>;
      readonly consumptions: readonly { readonly value: number; readonly total?: number }[];
    }[];
  }[];
}

/** The stand-in's own answer to a question by chargeable items: sums by the value of one tag. */
async function askedDirectly(
  url: string,
  token: string,
  question: { readonly items: readonly string[]; readonly by: string },
  figure: 'total' | 'value',
): Promise<Map<string, BigNumber>> {
  const { items, by } = question;
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...SEPTEMBER,
      timeStep: 'month',
      groupBy: [by],
      consumptionQueries: [{ chargeableItems: items, aggregateBy: [...new Set([...TAGS, by])] }],
    }),
  });
  const body = (await response.json()) as Answered | { readonly results: Answered };
  const { periods } = 'results' in body ? body.results : body;
  const sums = new Map<string, BigNumber>();
  for (const { key, consumptions } of periods.flatMap(({ groups }) => groups)) {
    for (const row of consumptions) {
      const name = key[by] ?? '';
      sums.set(name, new BigNumber(String(row[figure] ?? 0)).plus(sums.get(name) ?? 0));
    }
  }
  return sums;
}

function sumOf(amounts: Iterable<BigNumber>): BigNumber {
  return BigNumber.sum(0, ...amounts);
}

function moneyIn(text = ''): string | undefined {
  return /\$([\d,]+\.\d\d)/.exec(text)?.[1];
}

describe('/charges item NAME', () => {
  it('equals the platform’s charges of the items, to the cent', async () => {
    const { ask, platform } = await startCharges();
    const address = `${platform.billingUrl}/account/${MAIN}/charges/-query`;
    const question = { items: ['egress', 'memory'], by: 'workload' };

    const read = await ask('last month item egress, memory by workload');

    const books = await askedDirectly(address, ADMIN, question, 'total');
    const [headline = ''] = read.said.split('\n');
    expect(headline).toContain(
      'Charges by workload of items `egress`, `memory` · September 2026 (UTC)',
    );
    expect(moneyIn(headline)).toBe(sumOf(books.values()).toFormat(2));
    const shown = read.rows.slice(1);
    expect(shown.length).toBeGreaterThan(5);
    for (const [label = '', charge] of shown) {
      const amount = books.get(label.replace('(none)', ''));
      expect([label, moneyIn(charge)]).toEqual([label, amount?.toFormat(2)]);
    }
  });

  it('of each item alone adds up to the charges of the account', async () => {
    const { ask, client } = await startCharges();
    const { items } = (await client.charges.chargeableItems()).value;

    const alone = new Map<string, BigNumber>();
    for (const { name } of items) {
      const { answer } = await ask(`last month item "${name}"`);
      alone.set(name, new BigNumber((moneyIn(spoken(answer)) ?? '0').replaceAll(',', '')));
    }

    const whole = moneyIn((await ask('last month')).said.split('\n')[0]) ?? '';
    const difference = sumOf(alone.values()).minus(whole.replaceAll(',', ''));
    expect([...alone.values()].filter((amount) => amount.gt(0)).length).toBeGreaterThan(5);
    // Each of them is rounded to the cent.
    expect(difference.abs().lte(items.length / 200)).toBe(true);
  });

  it('takes a name in any case, and an id, and sends the name', async () => {
    const { ask, client, calls } = await startCharges();
    const { items } = (await client.charges.chargeableItems()).value;
    const byok = items.find(({ name }) => name === 'byok-cpu');

    const answer = await ask(`last month item EGRESS,${byok?.id} by metric`);

    expect(firstLine(answer)).toContain('of items `egress`, `byok-cpu` ·');
    const asked = (await calls()).filter(({ path }) => path.endsWith('/charges/-query'));
    const sent = asked.map(
      ({ body }) => (body as { consumptionQueries: unknown[] }).consumptionQueries,
    );
    expect(sent.length).toBeGreaterThan(0);
    for (const [selection] of sent) {
      expect(selection).toMatchObject({ chargeableItems: ['egress', 'byok-cpu'] });
    }
  });

  it('is kept by every control, the file and the form', async () => {
    const { ask, group, press, files, customize } = await startCharges();
    const totals = await ask('last month item egress,cpu org acme step week');
    const egress = (read: Read) =>
      questionIn(read).includes('of items `egress`, `cpu` in org `acme`');

    const byGvc = await group(totals, 'gvc');
    const detail = await press(byGvc, 'Tiers');
    await press(detail, 'CSV');

    expect([totals, byGvc, detail, await press(detail, 'Totals')].map(egress)).toEqual(
      [1, 2, 3, 4].map(() => true),
    );
    const [tiers] = files;
    const rows = parse<Record<string, string>>(Buffer.from(tiers?.content as Uint8Array), {
      columns: true,
    });
    expect(new Set(rows.map((row) => row['item']))).toEqual(new Set(['cpu', 'egress']));
    expect(tiers?.comment).toContain(
      '(/charges last month by gvc item egress,cpu org acme step week)',
    );

    const shown = await customize(byGvc);
    const list = JSON.stringify(shown.at(-1)?.blocks.find((block) => block.block_id === 'items'));
    expect(list).toContain('"initial_options":[{"text":{"type":"plain_text","text":"egress"');
    expect(list).toContain('general-purpose-ssd');
    expect(egress(await group(byGvc, 'org'))).toBe(true);
  });

  it('leaves the name to the platform where the items cannot be read', async () => {
    const { ask, control } = await startCharges();
    await control('faults', { faults: [{ path: 'chargeable_items', status: 403 }] });

    const known = await ask('last month item egress');

    expect(firstLine(known)).toContain('of item `egress`');
    expect(known.rows.length).toBeGreaterThan(1);
    await expect(ask('last month item egrss')).rejects.toThrow(
      'there is no chargeable item "egrss"',
    );
  }, 60_000);
});

describe('/usage item NAME', () => {
  const pricing = async () => ({ catalogue: (await startCharges()).client.charges });

  it('equals the platform’s usage of the item', async () => {
    const house = await startUsage(await pricing());
    const { usageUrl, tokens } = house.platform;
    const question = { items: ['cpu'], by: 'workload' };

    const answer = await house.ask('last month item CPU by workload org acme');

    expect(textOf(answer)).toContain('*Usage by workload* of item `cpu` in org `acme` ·');
    const books = await askedDirectly(
      `${usageUrl}/org/acme/query`,
      tokens['acme'] ?? '',
      question,
      'value',
    );
    const reported = formatInUnit(sumOf(books.values()), unitsOfMetrics()('cpu'));
    expect(textOf(answer)).toContain(`cpu: *${reported}*`);
    const largest = [...books].toSorted(([, a], [, b]) => b.comparedTo(a) ?? 0);
    expect(rowsOf(answer)[0]).toMatchObject({ Workload: largest[0]?.[0] });
  });

  it('is sent as it is typed when billing is off, and the platform names the mistake', async () => {
    const house = await startUsage();

    expect(textOf(await house.ask('last month item cpu org acme'))).toContain('core-hours');
    const refused = house.ask('last month item CPU org acme');

    await expect(refused).rejects.toThrow(PlatformError);
    await expect(refused).rejects.toThrow('there is no chargeable item "CPU"');
  });
});
