import { beforeEach, expect, test } from 'vitest';
import { fingerprint } from '../../../../src/changes/change.ts';
import { alertAnswer } from '../../../../src/features/alert/view.ts';
import { readSpend } from '../../../../src/reporting/spend.ts';
import { startKinds, type Harness } from './kinds-support.ts';

let harness: Harness;

beforeEach(async () => {
  harness = await startKinds();
});

const REPLACE = { kind: 'alert.replace', amount: 750.5, enabled: true } as const;

const set = () => harness.client.createAlert({ amount: 500, enabled: true });
const put = (amount: number, enabled = true) => harness.client.replaceAlert({ amount, enabled });
const fire = () => harness.control('alert/fire', {});

/** The current answer of `/alert`. */
async function shown(): Promise<string> {
  const now = harness.platform.clock.now();
  const { value: alert, readAt } = await harness.client.getAlert({ fresh: true });
  const spend = await readSpend(harness.client.charges, 'USD', now);
  return JSON.stringify(
    alertAnswer(
      {
        alert,
        spend,
        days: undefined,
        currency: 'USD',
        readAt,
        now,
        mayAsk: true,
        isReadOnly: false,
      },
      [],
    ).blocks,
  );
}

const PERHAPS =
  'The alert fired on 15 October: unless its amount changed since, saving it arms it again, so every billing_admin can be e-mailed a second time this month.';

test('of one record that was stamped late, neither the card nor /alert says that it was changed', async () => {
  await harness.control('alert/stamp', { seconds: 60 });
  await harness.client.createAlert({ amount: 1, enabled: true });
  await harness.advance(12 * 60);
  const order = harness.order(REPLACE);
  const soon = { card: (await order.look()).plan.consequences.at(-1), shown: await shown() };
  await harness.advance(60 * 60);
  const later = { card: (await order.look()).plan.consequences.at(-1), shown: await shown() };

  // The card and /alert agree: first the alert may be armed, an hour later nothing suggests it.
  expect(soon.shown).toMatch(
    /It fired .*\. If its amount changed .*, it can fire again this month/,
  );
  expect(later.shown).toContain('E-mailed this month:');
  for (const { card, shown } of [soon, later]) {
    expect(card).toBe(PERHAPS);
    expect(`${card} ${shown}`).not.toMatch(/was changed|Changed/);
  }
});

test('an alert that fired and was changed since is armed again, unless the change did that already', async () => {
  await set();
  await fire();
  await harness.advance(60);
  // Out of reach, so that it does not fire again meanwhile.
  await put(1_000_000);
  const order = harness.order(REPLACE);
  const plans = [(await order.look()).plan];
  await harness.advance(3 * 3_600);
  plans.push((await order.look()).plan);

  for (const plan of plans) {
    expect(plan.consequences).toEqual([expect.stringMatching(/^Every billing_admin/), PERHAPS]);
  }
  // The fingerprint does not depend on the charges or the time.
  expect(new Set(plans.map(fingerprint)).size).toBe(1);
});
