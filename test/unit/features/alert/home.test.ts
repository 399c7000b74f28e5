import { BigNumber } from 'bignumber.js';
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
const HOUR = 3_600_000;
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
  it('is one line against the alert, with projection and pace, and names the main driver', async () => {
    const text = JSON.stringify(await fill());
    expect(text).toContain(
      ':large_orange_circle: *Over the $500 alert on 24 November*: projected about $650\\n*$250.00 of $500.00* (50%) so far this month',
    );
    expect(text).toContain('Mostly `acme` (80%): $200.00');
    expect(text).toContain('Spend this month and even pace');
    expect(text).toMatch(/"Alert".*"Charges"/);
  });

  it('projects nothing more, and the least that is used, when charges are not counted', async () => {
    const euros = { org: 'globex', total: 90, currency: 'EUR' };
    const account = () => reading(charges({ org: 'acme', total: 180 }, euros));
    const text = JSON.stringify(await fill(undefined, { charges: { account } }));

    expect(text).toContain('*At least 36% of the $500 alert used*');
    expect(text).toContain('Projected: nothing more by 30 November');
  });

  it('says that the alert is reached, or that it will not be', async () => {
    const against = async (amount: number, enabled = true) =>
      JSON.stringify(
        await fill(undefined, {
          getAlert: () => reading(alert({ amount: new BigNumber(amount), enabled })),
        }),
      );

    expect(await against(250)).toContain('*$250.00 of $250.00* (100%)');
    expect(await against(250)).toContain(
      ':large_orange_circle: *Reached*: $250.00 of the $250 alert',
    );
    expect(await against(250.005)).toContain('*$250.00 of $250.005* (99%)');
    expect(await against(9_000)).toContain('*$250.00 of $9,000.00* (2%)');
    expect(await against(9_000)).toContain(
      ':white_check_mark: *On track*: about $650 of the $9,000 alert',
    );
    expect(await against(9_000, false)).toContain('*The $9,000 alert is off*');
    expect(await against(0)).toContain('*$250.00 of $0.00* so far');
  });

  it('says of an alert that has fired, and only of such a one, whether it is quiet', async () => {
    const fired = alert({ lastTriggered: NOW - 5 * HOUR, alertedTimes: 1 });
    const quiet = JSON.stringify(await fill(undefined, { getAlert: () => reading(fired) }));
    const changed = { ...fired, lastModified: NOW - HOUR };
    const again = JSON.stringify(await fill(undefined, { getAlert: () => reading(changed) }));

    expect(quiet).toContain('E-mailed this month: the next e-mail can come from 1 December on');
    expect(again).toContain('E-mailed this month, but changed after that');
    expect(JSON.stringify(await fill())).not.toContain('E-mailed');
  });

  it('is read by a viewer from the account', async () => {
    await fill(standing('billing_viewer'));
    expect(asked).toEqual(['account', 'charges', 'charges']);
  });

  it('names a next step that the role allows where there is no alert', async () => {
    const none = {
      getAlert: () => reading(undefined),
      getAccount: () => reading({ alert: undefined }),
    };
    const admin = JSON.stringify(await fill(standing('billing_admin'), none));
    const viewer = JSON.stringify(await fill(standing('billing_viewer'), none));
    expect(admin).toContain('*There is no spend alert*\\n');
    expect(admin).toContain('Set an alert');
    expect(viewer).toContain('*There is no spend alert*: a billing_admin can ask for one');
    expect(viewer).not.toContain('Set an alert');
    expect(JSON.stringify(await fill())).not.toContain('Set an alert');
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
