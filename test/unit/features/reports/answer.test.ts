import { expect, it } from 'vitest';
import { sendCsv } from '../../../../src/features/reports/answer.ts';
import { newState } from '../../../../src/features/reports/question.ts';
import { reportOf } from '../../../../src/features/reports/report.ts';
import type { Source } from '../../../../src/features/reports/source.ts';
import { anyAmount } from '../../../support/reports.ts';
import { askNothing, found, later, line, openQuery, reportsOf } from './support.ts';

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
