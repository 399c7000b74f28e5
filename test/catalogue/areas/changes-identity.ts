import { identityRefusal } from '../../../src/access/policy.ts';
import { createKinds } from '../../../src/changes/kinds/kinds.ts';
import { createIdentityAnswer } from '../../../src/features/changes/refusals.ts';
import { Refusal } from '../../../src/lib/errors.ts';
import { authorizerFor, usersWith } from '../../support/authorizer.ts';
import { memoryIdentities } from '../../support/identities.ts';
import { answer, post, refusal, type Area, type Entry } from '../entry.ts';
import { card, openChanges } from './changes-core-office.ts';
import { ADA, CLEO, ORDERS } from './changes-feature-data.ts';
import { faulty, formsOf, notOpened, opened } from './changes-feature-modals.ts';

const ORDER = ORDERS['identity.confirm'];
const MEMBER = { teamId: 'T0ACME', deleted: false, bot: false, guest: false, stranger: false };

/** Below the refusal is the button that asks. */
const refused = (name: string, when: string, ids: readonly string[]): Entry =>
  answer(`identity-${name}`, when, () =>
    createIdentityAnswer(formsOf({}).routes)(new Refusal(identityRefusal(ids))),
  );

type Pins = Parameters<typeof memoryIdentities>[0];

const officeWith = (pins: Pins) =>
  openChanges({ deps: { kindOf: createKinds('USD', memoryIdentities(pins)) } });

const conflict = (name: string, when: string, pins: Pins): Entry =>
  refusal(`identity-${name}`, when, () => officeWith(pins).ask(ORDER));

/** The rights of Ada, while Redis is away. */
function rightsOfAda() {
  return authorizerFor({
    identities: {
      admit: () => Promise.reject(new Error('Redis is away')),
      pinOf: () => Promise.reject(new Error('Redis is away')),
    },
    member: async () => ({ ...MEMBER, email: ADA.email }),
    users: usersWith(async () => ['billing_admin']),
  });
}

export const identity: Area = {
  id: 'identity',
  title: 'A Slack account with the e-mail address of another one',
  entries: [
    refused('in-use', 'An earlier account of the same address has used a role.', ['U0OLD']),
    refused('in-use-by-two', 'Two accounts of the same address are confirmed.', ['U0OLD', 'U0GUS']),
    refused('unverified', 'The remembered account was edited in Redis.', []),
    refusal('identity-unknown', 'Redis is away, and a command takes a role.', () =>
      rightsOfAda().requireRole({ userId: ADA.userId }, ['billing_admin']),
    ),
    opened('identity-form', 'A person asks that the new account is confirmed.', {
      name: 'identity.confirm',
    }),
    faulty('identity-form-no-reason', 'It was sent without a reason.', {
      name: 'identity.confirm',
      filled: { Reason: ' ' },
    }),
    notOpened('identity-form-no-email', 'The profile has no confirmed address.', {
      name: 'identity.confirm',
      deps: { access: authorizerFor({ member: async () => MEMBER }) },
    }),
    refusal('identity-of-another', 'A person asks it for the account of another person.', () =>
      openChanges().ask(ORDER, CLEO),
    ),
    conflict('free', 'The address was released meanwhile.', {}),
    conflict('known', 'The account was confirmed meanwhile.', { [ORDER.email]: [ORDER.userId] }),
    post(
      'identity-forged-card',
      'The entry in Redis was edited, and the account is asked for.',
      async () => card(await officeWith({ [ORDER.email]: 'forged' }).ask(ORDER)),
    ),
  ],
};
