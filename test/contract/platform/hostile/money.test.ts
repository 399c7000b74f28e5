import { expect, test } from 'vitest';
import { runsOf } from '../../../support/fast-check.ts';

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
import { isSilent } from './sent.ts';
import { ofAnswer, ofRows, prepareTrial, SHARES } from './trial.ts';
import type { Oracle } from './trial.ts';

const areInvoices = ofRows(isInvoice, 'invoices');

const ORACLES: Readonly<Record<keyof typeof MONEY_CALLS, Oracle>> = {
  'billing.charges.account': ofAnswer(areCharges),
  'billing.charges.accountDetailed': ofAnswer(areDetailedCharges),
  'billing.charges.org': ofAnswer(areCharges),
  'billing.charges.orgDetailed': ofAnswer(areDetailedCharges),
  'billing.charges.accountBody': ofAnswer(areCharges),
  'billing.charges.orgBody': ofAnswer(areDetailedCharges),
  'billing.charges.tagValues': ofAnswer(areTagValues),
  'billing.charges.chargeableItems': ofRows(isItem, 'items'),
  // What cannot be read is not known, and that is no error.
  'billing.charges.knownItems': (shown, sent) =>
    shown === undefined || ofRows(isItem, 'items')(shown, sent),
  'usage.query': ofAnswer(isUsage),
  'usage.queryBody': ofAnswer(isUsage),
  'usage.tagValues': ofAnswer(areTagValues),
  'billing.listInvoices': areInvoices,
  'billing.listPendingInvoices': areInvoices,
  'billing.getInvoice': ofAnswer(isInvoice),
  'billing.downloadInvoicePdf': (shown, { answers }) =>
    Buffer.concat(shown as Buffer[]).equals(answers[0]!.body),
  'billing.listPaymentLinks': (shown, sent) =>
    isNothing(sent.answers.at(-1)!.body)
      ? JSON.stringify(shown) === '{"items":[],"skipped":0}'
      : ofRows(isPaymentLink, 'invoicePeriods')(shown, sent),
};
/** What an account that is not billed by card may be answered with. */
function isNothing(body: Buffer): boolean {
  return isSilent(body) || body.toString() === '{}';
}

const NAMES = Object.keys(MONEY_CALLS);

const trial = prepareTrial(MONEY_CALLS);

test.each(NAMES)('a true answer is shown as it was said: %s', async (name) => {
  expect(await trial.unspoiled(name, ORACLES[name]!)).toEqual({ fault: undefined, isShown: true });
});

const RUNS = runsOf(SHARES.money);

test(`of ${RUNS} spoiled answers none shows money that was not said, hangs or throws past the client`, async () => {
  const { served, shown } = await trial.spoiled(ORACLES, SHARES.money);

  expect(served).toBeGreaterThanOrEqual(RUNS);
  // Neither all refused nor all taken: both sides of the client are reached.
  expect(shown).toBeGreaterThan(RUNS / 4);
  expect(shown).toBeLessThan(RUNS);
});
