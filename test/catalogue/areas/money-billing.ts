import { accountAnswer, type AccountView } from '../../../src/features/billing/answers.ts';
import type { Account } from '../../../src/platform/billing/account.ts';
import { account, ALERT } from '../../unit/features/billing/scenario.ts';
import { answer, MINUTE, NOW, type Area, type Entry } from '../entry.ts';
import { at, CURRENCY, many } from './money-data.ts';

function entry(
  id: string,
  when: string,
  changes: Partial<Account> = {},
  view: Partial<AccountView> = {},
): Entry {
  return answer(`billing-account-${id}`, when, () =>
    accountAnswer({
      account: account(changes),
      orgCount: 3,
      accounts: undefined,
      currency: CURRENCY,
      readAt: NOW,
      now: NOW,
      ...view,
    }),
  );
}

const another = (place: number): Account =>
  account({
    id: `5f1c2a34-0000-4000-8000-0000000000${10 + place}`,
    fullName: `Acme ${['Labs', 'Retail', 'Bank'][place % 3]}`,
  });
const cards = (count: number) =>
  many(count, (place) => ({ brand: 'visa', last4: String(4_242 + place) }));

export const billingAccount: Area = {
  id: 'billing-account',
  title: '/billing account',
  entries: [
    entry('well', 'A person looks at the billing account; all is well.', {
      alert: { ...ALERT, lastTriggered: at('2026-10-28') },
    }),
    entry('no-org-possible', 'Every requirement for a new org is missing.', {
      enabled: false,
      tou: false,
      paymentMethods: [],
      orgQuota: 3,
    }),
    entry('quota-used-up', 'The account has as many orgs as it may have.', { orgQuota: 3 }),
    entry(
      'silent',
      'The platform says hardly anything of the account.',
      {
        accountId: '',
        fullName: '',
        email: '',
        address: [],
        orgQuota: undefined,
        enabled: undefined,
        tou: undefined,
        paymentMethods: undefined,
        alert: { ...ALERT, amount: undefined, enabled: undefined },
      },
      { orgCount: undefined, readAt: NOW - MINUTE },
    ),
    entry('alert-off', 'The spend alert is off, and there are several cards.', {
      alert: { ...ALERT, enabled: false },
      paymentMethods: [
        { brand: 'visa', last4: '4242' },
        { brand: 'amex', last4: '' },
      ],
    }),
    entry('many-cards', 'There are more cards than are listed.', { paymentMethods: cards(12) }),
    entry(
      'accounts',
      'Purser has a token of a user who belongs to several accounts.',
      {},
      { accounts: { items: [account(), another(0), another(1)], skipped: 0 } },
    ),
    entry(
      'many-accounts',
      'The user belongs to more accounts than are listed.',
      {},
      { accounts: { items: many(12, another), skipped: 1 } },
    ),
    entry('no-accounts', 'The user belongs to none.', {}, { accounts: { items: [], skipped: 0 } }),
    entry('accounts-unknown', 'The user’s accounts cannot be read.', {}, { accounts: 'unknown' }),
  ],
};
