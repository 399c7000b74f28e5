import { expect, it } from 'vitest';
import { emptyAnswer, sendCsv } from '../../../../src/features/reports/answer.ts';
import { newState } from '../../../../src/features/reports/question.ts';
import { reportOf } from '../../../../src/features/reports/report.ts';
import type { Source, Tier } from '../../../../src/features/reports/source.ts';
import { anyAmount } from '../../../support/reports.ts';
import {
  askNothing,
  found,
  later,
  line,
  openQuery,
  reportsOf,
  october,
  question,
} from './support.ts';
import { BigNumber } from 'bignumber.js';
import { detailView } from '../../../../src/features/reports/detail-view.ts';
import { proseOf, tableOf } from '../../../support/answer.ts';

/** The answers and their files are in the catalogue, but for the comment beside a file. */
it('a file has what is missing from it in its own comment', async () => {
  const unasked = () => Promise.reject(new Error('is not asked'));
  const source: Source = {
    help: { command: '/charges', summary: '', usages: [], examples: [] },
    name: 'charges',
    needs: () => 'billing',
    by: ['org'],
    authorize: unasked,
    orgs: unasked,
    usualOrgs: () => [],
    ask: askNothing,
    tagValues: unasked,
  };
  const lines = [line('acme', '5', { days: { 1: '5' } }), line('globex', '3')];
  const answer = found(lines, { skipped: 3, missing: ['initech'] });
  const sent: string[] = [];
  const services = {
    sendFile: async ({ comment, title }: { comment: string; title: string }) => {
      sent.push(...`${title}: ${comment}`.split('\n'));
      return undefined;
    },
    reports: reportsOf(async ({ bodies, wanted }) => reportOf(bodies, answer, wanted)),
    allowance: anyAmount(),
    clock: { now: () => later },
  };

  await sendCsv(source, services, { userId: 'U1' }, newState({ ...openQuery, step: 'day' }, later));

  expect(sent).toEqual([
    'Charges by org per day (CSV): Charges by org per day, October 2026 (/charges 2026-10 step day)',
    '⚠ Incomplete: without initech; 3 rows of the platform’s answer could not be read.',
  ]);
});

it.each([
  ['shop,pay', 'gvc=/^(shop|pay)$/'],
  ['shop*', 'gvc=/^shop.*$/'],
  ['shop/api', 'gvc=shop workload=api'],
])('where no GVC is named %s, it suggests what was probably meant', (gvc, meant) => {
  const source = { name: 'charges', help: { command: '/charges' } } as unknown as Source;
  const suggested = (where: Record<string, string>) =>
    proseOf(emptyAnswer(source, question({ where }), { flaws: [], missing: [] }));

  expect(suggested({ gvc })).toContain(`one: \`/charges 2026-10 where ${meant}\``);
  expect(suggested({ gvc: 'shop', volumeIndex: '3' })).not.toContain('several names');
});

/** The pricing tiers are in the catalogue, with metrics whose units are known. */
it.each([
  [undefined, ['1,000 to 5,000', 'above 5,000']],
  ['samples', ['1,000 to 5,000 samples', 'above 5,000 samples']],
])('tiers have their bounds in full, also of a unit that is %s', (unit, bounds) => {
  const [from, to] = [new BigNumber(1000), new BigNumber(5000)];
  const tier: Tier = {
    period: october,
    ratePlan: 'standard-2026',
    ratePlanItem: 'tiers',
    item: 'one',
    unit,
    units: new BigNumber(1),
    rate: new BigNumber(1),
    amount: new BigNumber(1),
    currency: 'USD',
    from,
    to,
  };
  const tiers = [tier, { ...tier, from: to, to: undefined }];
  const acme = line('acme', '2');
  const detail = { ...found([acme]), tiersOf: () => tiers, caveatsOf: () => [] };
  const asked = { name: 'charges', question: question(), detail, caveats: [] } as const;

  const rows = tableOf(detailView({ ...asked, line: acme, page: 1, now: later }));

  expect(rows.slice(1).map((row) => row[2])).toEqual(bounds);
});
