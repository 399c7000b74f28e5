import type { BrokenSetUp } from './doctor-setups.ts';
import type { World } from './world.ts';

const CARD = { last4: '4242', brand: 'visa' };

/** Of the three admins, Ada stays one. */
async function giveRole(world: World, role: string): Promise<void> {
  for (const email of ['ben@acme.example', 'gus@acme.example']) {
    await world.platform('users', { email, roles: [role] });
  }
}

/** Set-ups that something outside of the bot breaks. */
export const BY_OTHERS: readonly BrokenSetUp[] = [
  {
    name: 'an account that cannot grow, with one admin, and an app without its scopes',
    meanwhile: async (world) => {
      await world.platform('account', { enabled: false, paymentMethods: [] });
      await giveRole(world, 'billing_viewer');
      await world.slack('scopes', { without: ['files:write', 'users:read.email'] });
      return async () => {
        await world.platform('account', { enabled: true, paymentMethods: [CARD] });
        await giveRole(world, 'billing_admin');
        await world.slack('scopes', {});
      };
    },
    troubles: [
      {
        broken: 'account disabled',
        what: 'Billing account',
        says: 'it is disabled, so no org can be created',
        fix: 'ask the operator of the platform to enable it',
      },
      {
        broken: 'one admin only',
        what: 'Billing users',
        says: 'only one person has billing_admin',
        fix: 'have a second person made billing_admin, or set ALLOW_SELF_APPROVAL=true',
      },
      {
        broken: 'missing scope files:write',
        what: 'Scope files:write',
        says: 'it is missing',
        fix: 'add it under OAuth &amp; Permissions and reinstall the app',
      },
      {
        broken: 'missing scope users:read.email',
        what: 'Scope users:read.email',
        says: 'it is missing',
        fix: 'add it under OAuth &amp; Permissions and reinstall the app',
      },
    ],
  },
  {
    name: 'a clock that is off, and a platform that fails',
    meanwhile: async (world) => {
      await world.slack('date', { aheadSeconds: 400 });
      await world.platform('date', { aheadSeconds: 400 });
      await world.platform('faults', { faults: [{ status: 500 }] });
      return async () => {
        await world.slack('date', {});
        await world.platform('date', { aheadSeconds: 0 });
        await world.platform('faults', { faults: [] });
      };
    },
    troubles: [
      {
        broken: 'clock off',
        what: 'Clock',
        says: 'Purser’s is 6 min .*behind',
        fix: 'let NTP set the clock',
      },
      {
        broken: 'platform answering 500',
        what: 'API_URL',
        says: 'the platform fails \\(status 500\\)',
        fix: 'run /purser doctor again in a minute',
      },
    ],
  },
];
