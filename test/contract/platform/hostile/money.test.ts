import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { MONEY_CALLS } from './calls.ts';
import {
  areCharges,
  areDetailedCharges,
  areTagValues,
  isInvoice,
  isItem,
  isPaymentLink,
  isUsage,
} from './money-oracle.ts';
import { spoiling } from './mutations.ts';
import { ofAnswer, ofRows, prepareTrial, SHARES } from './trial.ts';
import type { Oracle } from './trial.ts';

const areInvoices = ofRows(isInvoice, 'invoices');

const ORACLES: Readonly<Record<keyof typeof MONEY_CALLS, Oracle>> = {
  'billing.charges.account': ofAnswer(areCharges),
  'billing.charges.accountDetailed': ofAnswer(areDetailedCharges),
  'billing.charges.org': ofAnswer(areCharges),
  'billing.charges.orgDetailed': ofAnswer(areDetailedCharges),
  'billing.charges.tagValues': ofAnswer(areTagValues),
  'billing.charges.chargeableItems': ofRows(isItem, 'items'),
  'usage.query': ofAnswer(isUsage),
  'usage.tagValues': ofAnswer(areTagValues),
  'billing.listInvoices': areInvoices,
  'billing.listPendingInvoices': areInvoices,
  'billing.getInvoice': ofAnswer(isInvoice),
  'billing.downloadInvoicePdf': (shown, { answers }) =>
    Buffer.concat(shown as Buffer[]).equals(answers[0]!.body),
  'billing.listPaymentLinks': ofRows(isPaymentLink, 'invoicePeriods'),
};
const NAMES = Object.keys(MONEY_CALLS);

const trial = prepareTrial(MONEY_CALLS);

test.each(NAMES)('a true answer is shown as it was said: %s', async (name) => {
  expect(await trial.unspoiled(name, ORACLES[name]!)).toEqual({ fault: undefined, isShown: true });
});

test(`of ${SHARES.money} spoiled answers none shows money that was not said, hangs or throws past the client`, async () => {
  const before = trial.replayed();
  let shown = 0;

  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...NAMES), spoiling, async (name, spoiling) => {
      const { fault, isShown } = await trial.spoiled(name, ORACLES[name]!, spoiling);
      shown += isShown ? 1 : 0;
      expect(fault).toBeUndefined();
    }),
    { numRuns: SHARES.money },
  );

  expect(trial.replayed() - before).toBeGreaterThanOrEqual(SHARES.money);
  // Neither all refused nor all taken: both sides of the client are reached.
  expect(shown).toBeGreaterThan(SHARES.money / 4);
  expect(shown).toBeLessThan(SHARES.money);
}, 180_000);
