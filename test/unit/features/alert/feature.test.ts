import { describe, expect, it } from 'vitest';

import { createAlertFeature } from '../../../../src/features/alert/feature.ts';
import type { BillingClient } from '../../../../src/platform/billing/client.ts';
import type { Config } from '../../../../src/config/config.ts';
import { Refusal } from '../../../../src/lib/errors.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import type { Alert } from '../../../../src/platform/billing/alert.ts';
import type { Charges } from '../../../../src/platform/billing/charge-rows.ts';
import { buttonsOf, proseOf, spoken, wordsIn } from '../../../support/answer.ts';
import { accessFor, account, ANN, forms } from '../billing/scenario.ts';
import { alert, charges, NOW } from './scenario.ts';
import { typeWords } from '../../../support/command.ts';

interface Platform {
  alert?: Alert | undefined;
  charges?: Charges | Error;
}

/** Records the calls to the platform. */
function platformOf(said: Platform) {
  const asked: string[] = [];
  const answer = <T>(name: string, value: T | Error) => {
    asked.push(name);
    return value instanceof Error ? Promise.reject(value) : Promise.resolve({ value, readAt: NOW });
  };
  const billing = {
    getAlert: () => answer('alert', said.alert),
    getAccount: () => answer('account', account({ alert: said.alert })),
    charges: {
      account: () => answer('charges', said.charges ?? charges({ org: 'acme', total: 5 })),
    },
  } as unknown as BillingClient;
  return { asked, billing: () => billing };
}

function alertFeature(roles: readonly string[], said: Platform = { alert: alert() }) {
  const { asked, billing } = platformOf(said);
  const feature = createAlertFeature(
    {
      access: accessFor(roles),
      billing,
      config: { currency: 'USD' } as Config,
      clock: { now: () => NOW },
    },
    forms,
  );
  const [command] = feature.commands ?? [];
  if (command === undefined) throw new Error('There is no command');
  return {
    asked,
    parse: (text: string) => command.parse(wordsIn(text)),
    show: () => typeWords(command, [], { person: ANN, channelId: 'C1' }),
    /** Its part of the home tab. */
    fill: async (who = Promise.resolve({ userId: ANN.userId, roles, email: 'a@b.example' })) =>
      JSON.stringify(await feature.home?.[0]?.fill(ANN, () => who)),
  };
}

describe('/alert', () => {
  it('reads the alert for admins, with buttons to change it', async () => {
    const { asked, show } = alertFeature(['billing_admin']);
    expect(buttonsOf(await show())).toEqual(['Change', 'Turn off', 'Delete']);
    expect(asked.toSorted()).toEqual(['alert', 'charges', 'charges']);
  });

  it('reads the account for viewers, without buttons', async () => {
    const { asked, show } = alertFeature(['billing_viewer']);
    const answer = await show();

    expect(spoken(answer)).toContain('$500.00');
    expect(buttonsOf(answer)).toEqual([]);
    expect(asked.toSorted()).toEqual(['account', 'charges', 'charges']);
  });

  it.each([['org_creator'], ['no role']])('is not for %s, and asks nothing then', async (role) => {
    const { asked, show } = alertFeature([role]);
    await expect(show()).rejects.toThrow('This takes the role billing_admin or billing_viewer.');
    expect(asked).toEqual([]);
  });

  it('offers the buttons that fit the state', async () => {
    const none = await alertFeature(['billing_admin'], { alert: undefined }).show();
    const off = await alertFeature(['billing_admin'], { alert: alert({ enabled: false }) }).show();

    expect(buttonsOf(none)).toEqual(['Set an alert']);
    expect(buttonsOf(off)).toEqual(['Change', 'Turn on', 'Delete']);
    expect(off.buttons?.[1]).toMatchObject({
      action_id: 'ask.alert.set',
      value: '{"enabled":"true"}',
    });
  });

  it('offers no switch where it is not known whether it is on', async () => {
    const unsaid = { alert: alert({ enabled: undefined }) };
    expect(buttonsOf(await alertFeature(['billing_admin'], unsaid).show())).toEqual([
      'Change',
      'Delete',
    ]);
  });

  it('without the charges is still the alert', async () => {
    const failed = new PlatformError('unavailable', 'down');
    const answer = await alertFeature(['billing_admin'], {
      alert: alert(),
      charges: failed,
    }).show();

    expect(spoken(answer)).toContain('Spend alert at $500\n');
    expect(proseOf(answer)).toContain(
      'charges are not known. The platform does not answer just now',
    );
  });

  it('opens the form of its words, filled in', () => {
    expect(alertFeature([]).parse('set $1,000')).toMatchObject({
      form: { actionId: 'ask.alert.set' },
      value: '{"amount":"1000"}',
    });
  });
});

describe('the spend on the home tab', () => {
  it('is read by a viewer from the account', async () => {
    const { asked, fill } = alertFeature(['billing_viewer']);
    await fill();
    expect(asked.toSorted()).toEqual(['account', 'charges', 'charges']);
  });

  it('is left out without the role, and nothing is read', async () => {
    const { asked, fill } = alertFeature(['org_creator']);
    expect([await fill(), asked]).toEqual(['[]', []]);
  });

  it('says so when the roles cannot be read', async () => {
    const { asked, fill } = alertFeature(['billing_admin']);
    const silent = new Refusal('The platform does not show your roles.', new Error('503'));
    await expect(fill(Promise.reject(silent))).rejects.toThrow('does not show your roles');
    expect(asked).toEqual([]);
  });

  it('has a button that sets an alert, for admins of an account without one', async () => {
    const none = { alert: undefined };
    expect(await alertFeature(['billing_admin'], none).fill()).toContain('Set an alert');
    expect(await alertFeature(['billing_viewer'], none).fill()).not.toContain('Set an alert');
  });
});
