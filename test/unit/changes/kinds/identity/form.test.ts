import { expect, it } from 'vitest';
import { AT_ONCE, formHarness } from '../../forms/harness.ts';

it('the form asks only for a reason, and takes the account and the address from Slack', async () => {
  const { open, submit, orders, reasons } = formHarness();
  const form = await open('identity.confirm', { email: 'eve@acme.example', userId: 'U0EVE' });

  await submit('identity.confirm', form, { Reason: 'I have a new account.' });

  expect(orders).toEqual([
    { kind: 'identity.confirm', email: 'ada@acme.example', userId: 'U0ADA' },
  ]);
  expect(reasons).toEqual(['I have a new account.']);
});

it('with APPROVALS=off the form still says that a second person has to approve it', async () => {
  const form = await formHarness({}, { config: AT_ONCE }).open('identity.confirm');

  expect(form.submit).toBe('Request');
  expect(JSON.stringify(form.blocks)).toContain('before a second person has approved it');
});
