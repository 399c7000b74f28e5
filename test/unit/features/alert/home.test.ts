import { describe, expect, it } from 'vitest';
import { createAlertPart } from '../../../../src/features/alert/home.ts';
import type { AlertHomeDeps } from '../../../../src/features/alert/home.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { Refusal } from '../../../../src/lib/refusal.ts';
import { alert, charges, NOW } from './story.ts';

type Reads = Record<'getAlert' | 'getAccount', () => Promise<unknown>> & {
  charges: { account: () => Promise<unknown> };
};

const ada = () => ({ userId: 'U0ADA', teamId: 'T0ACME' });
const asked: string[] = [];
const reading = (value: unknown) => Promise.resolve({ value, readAt: NOW });

function fill(over: Partial<AlertHomeDeps> = {}, reads: Partial<Reads> = {}) {
  asked.length = 0;
  const billing: Reads = {
    getAlert: () => (asked.push('alert'), reading(alert())),
    getAccount: () => (asked.push('account'), reading({ alert: alert() })),
    charges: {
      account: () => (
        asked.push('charges'),
        reading(charges({ org: 'acme', total: 200, projected: 600 }, { org: 'globex', total: 50 }))
      ),
    },
    ...reads,
  };
  const part = createAlertPart({
    billing: () => billing as never,
    requireBillingRole: () => Promise.resolve(),
    currency: 'USD',
    clock: { now: () => NOW },
    ...over,
  });
  return part.fill(ada());
}

describe('the spend on the home tab', () => {
  it('stands against the alert, with pace and driver', async () => {
    const text = JSON.stringify(await fill());

    expect(text).toContain('*Spend alert at $500.00* a month, *on*');
    expect(text).toContain('▰▰▰▰▰▰▰▰▰▰▱▱▱▱▱▱▱▱▱▱ 50.0 %');
    expect(text).toContain('*$250.00* so far this month of $500.00');
    expect(text).toContain('At this pace it is reached on *21 November*');
    expect(text).toContain('Main driver: org `acme`, $200.00 (80.0 %)');
  });

  it('is read by a viewer from the account', async () => {
    await fill({
      requireBillingRole: (_, roles) =>
        roles.includes('billing_viewer') ? Promise.resolve() : Promise.reject(new Refusal('No.')),
    });

    expect(asked).toEqual(['account', 'charges']);
  });

  it('is left out for those who may not see it, and nobody is asked', async () => {
    const blocks = await fill({ requireBillingRole: () => Promise.reject(new Refusal('A role.')) });

    expect(blocks).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('says so when nobody knows whether the person may see it', async () => {
    const silent = new Refusal('The platform does not say which roles you have.', new Error('503'));

    await expect(fill({ requireBillingRole: () => Promise.reject(silent) })).rejects.toThrow(
      'does not say which roles',
    );
  });

  it('has the alert also when the charges cannot be read', async () => {
    const failing = new PlatformError('unreachable', 'no answer');
    const blocks = await fill({}, { charges: { account: () => Promise.reject(failing) } });

    expect(JSON.stringify(blocks)).toContain('*Spend alert at $500.00*');
    expect(JSON.stringify(blocks)).toContain('This month’s charges are not known: The platform');
  });
});
