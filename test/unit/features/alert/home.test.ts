import { describe, expect, it } from 'vitest';
import type { Principal } from '../../../../src/access/policy.ts';
import { button } from '../../../../src/slack/kit/blocks.ts';
import { createAlertPart } from '../../../../src/features/alert/view.ts';
import type { Config } from '../../../../src/config/config.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { Refusal } from '../../../../src/lib/errors.ts';
import { alert, charges, NOW } from './scenario.ts';

type Reads = Record<'getAlert' | 'getAccount', () => Promise<unknown>> & {
  charges: { account: () => Promise<unknown> };
};

const ada = () => ({ userId: 'U0ADA', teamId: 'T0ACME' });
const asked: string[] = [];
const reading = (value: unknown) => Promise.resolve({ value, readAt: NOW });

const standing = (...roles: string[]) =>
  Promise.resolve<Principal>({ userId: 'U0ADA', email: 'ada@acme.example', roles });

function fill(who = standing('billing_admin'), reads: Partial<Reads> = {}) {
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
  const part = createAlertPart(
    {
      billing: () => billing as never,
      config: { currency: 'USD' } as Config,
      clock: { now: () => NOW },
    },
    ({ mayAsk }) => (mayAsk ? [SET] : []),
  );
  return part.fill(ada(), () => who);
}

const SET = button({ action: 'change.alert.set', text: 'Set an alert' });

describe('the spend on the home tab', () => {
  it('is read by a viewer from the account', async () => {
    await fill(standing('billing_viewer'));
    expect(asked).toEqual(['account', 'charges', 'charges']);
  });

  it('is left out without the role, and nothing is read', async () => {
    expect(await fill(standing('org_creator'))).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('says so when the roles cannot be read', async () => {
    const silent = new Refusal('The platform does not show your roles.', new Error('503'));
    await expect(fill(Promise.reject(silent))).rejects.toThrow('does not show your roles');
    expect(asked).toEqual([]);
  });

  it('has the alert also when the charges cannot be read', async () => {
    const failing = new PlatformError('unreachable', 'no answer');
    const blocks = await fill(undefined, { charges: { account: () => Promise.reject(failing) } });
    expect(JSON.stringify(blocks)).toContain(
      '*Spend alert at $500*\\nThis month’s charges are not known. The platform',
    );
  });
});
