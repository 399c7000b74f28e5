import { expect, test } from 'vitest';
import { failureOf, sequence } from '../support.ts';
import { startBillingClient } from './support.ts';

/** Answers of platforms about an account that is not billed by card (spec 2.8 does not show it). */

test.each([
  ['nothing at all', { status: 204, body: '' }],
  ['an empty body', { body: '' }],
  ['a line break', { body: '\n' }],
  ['null', { body: 'null' }],
  ['an object of nothing', { body: '{}' }],
  ['no list', { body: '{"invoicePeriods":null}' }],
  ['an empty list', { body: '{"invoicePeriods":[]}' }],
])('an answer of %s has no payment pages', async (_what, answer) => {
  const server = await sequence(answer);

  const links = await startBillingClient(server.url).listPaymentLinks('i1');

  expect(links).toEqual({ items: [], skipped: 0 });
});

test.each(['{"error":"not billed by card"}', '[7', '"none"'])(
  'an answer that is not about payment pages is an error, not an empty list: %s',
  async (body) => {
    const server = await sequence({ body });

    const failure = await failureOf(startBillingClient(server.url).listPaymentLinks('i1'));

    expect(failure.reason).toBe('malformed');
  },
);
