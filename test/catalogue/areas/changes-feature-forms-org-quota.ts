import { type Area, modal } from '../entry.ts';
import { fieldOf, NO_KEY } from '../../unit/changes/forms/harness.ts';
import { ADA, GROUND } from './changes-feature-data.ts';
import {
  faulty,
  formsOf,
  notOpened,
  opened,
  reading,
  withErrors,
} from './changes-feature-modals.ts';

const org = { name: 'org.create' } as const;
const quota = { name: 'quota.request' } as const;
const fine = {
  Name: 'acme-staging',
  'Type the name again': 'acme-staging',
  Invitees: 'dana@acme.example',
};
const account = GROUND.account;
const refusing = {
  'terms-not-accepted': { ...GROUND, account: { ...account, tou: false } },
  'account-not-enabled': { ...GROUND, account: { ...account, enabled: false } },
  'quota-used-up': { ...GROUND, orgs: 5 },
  everything: {
    ...GROUND,
    orgs: 5,
    account: { ...account, tou: false, paymentMethods: [], enabled: false },
  },
} as const;
const BAD_TAGS = {
  'no-tag': ['A line of the tags has no value.', 'payments'],
  twice: ['Two tags have the same key.', 'team=payments\nteam=core'],
  'no-text': ['The value of a tag is a list.', 'team=["payments", "core"]'],
  mixed: ['The key of a tag has a Cyrillic letter in it.', 'te\u0430m=payments'],
  unseen: ['The value of a tag has a character of no width in it.', 'team=pay\u200Bments'],
  'too-many': [
    'There are more tags than one request takes.',
    Array.from({ length: 51 }, (_, index) => `k${index}=v`).join('\n'),
  ],
  'too-long': ['The tags are longer than a card shows.', `note=${'to be read '.repeat(50)}`],
} as const;
const manyInvitees = (count: number, domain = 'acme.example') =>
  Array.from({ length: count }, (_, index) => `person-${index + 1}@${domain}`).join(', ');

export const orgForm: Area = {
  id: 'org-form',
  title: 'Form: a new org',
  entries: [
    reading(
      'org-create-form-reading',
      'The form was opened, and the platform is still being asked.',
      'Create an org',
    ),
    opened('org-create-form', 'A person asks for a new org.', org),
    opened('org-create-form-named', 'The name was typed with the command.', {
      ...org,
      given: { name: 'acme-staging' },
    }),
    opened('org-create-form-first', 'The account has one org, and the platform shows no quota.', {
      ...org,
      platformData: { orgs: 1 },
    }),
    ...Object.entries(refusing).map(([why, platformData]) =>
      notOpened(
        `org-create-form-${why}`,
        `The platform would refuse a new org: ${why.replaceAll('-', ' ')}.`,
        { ...org, platformData },
      ),
    ),
    opened('org-create-form-no-payment-method', 'The account has no card.', {
      ...org,
      platformData: { ...GROUND, account: { ...account, paymentMethods: [] } },
    }),
    opened(
      'org-create-form-no-secret-key',
      'There is no key to encrypt a superuser key with, so none can be asked for.',
      {
        ...org,
        deps: { config: NO_KEY },
      },
    ),
    faulty('org-create-form-empty', 'The form was sent with nothing in it.', {
      ...org,
      filled: {},
    }),
    faulty('org-create-form-names-differ', 'The name was not typed the same way twice.', {
      ...org,
      filled: { ...fine, 'Type the name again': 'acme-stagin' },
    }),
    faulty('org-create-form-name-with-blank', 'The name has a blank in it.', {
      ...org,
      filled: { ...fine, Name: 'acme staging', 'Type the name again': 'acme staging' },
    }),
    faulty('org-create-form-too-long', 'The name and the description are too long.', {
      ...org,
      filled: {
        ...fine,
        Name: 'acme-'.repeat(13),
        Description: 'For trying things out. '.repeat(22),
      },
    }),
    faulty('org-create-form-no-address', 'One of the invitees is not an e-mail address.', {
      ...org,
      filled: { ...fine, Invitees: 'dana@acme.example, finn' },
    }),
    faulty('org-create-form-too-many', 'There are more invitees than one request takes.', {
      ...org,
      filled: { ...fine, Invitees: manyInvitees(51) },
    }),
    faulty(
      'org-create-form-list-too-long',
      'The addresses of the invitees are longer than a card shows.',
      {
        ...org,
        filled: {
          ...fine,
          Invitees: manyInvitees(40, 'a-department-with-a-long-name.acme.example'),
        },
      },
    ),
    faulty('org-create-form-name-mixed', 'The name has a Cyrillic letter among Latin ones.', {
      ...org,
      filled: { ...fine, Name: 'acme-st\u0430ging', 'Type the name again': 'acme-st\u0430ging' },
    }),
    faulty('org-create-form-name-fullwidth', 'The name has a fullwidth letter in it.', {
      ...org,
      filled: { ...fine, Name: 'acme-ｐrod', 'Type the name again': 'acme-ｐrod' },
    }),
    faulty('org-create-form-name-digit', 'The name has an Arabic digit in it.', {
      ...org,
      filled: { ...fine, Name: 'acme-\u0661', 'Type the name again': 'acme-\u0661' },
    }),
    faulty('org-create-form-invitee-unseen', 'An invitee’s address has a letter of no width.', {
      ...org,
      filled: { ...fine, Invitees: 'dana@acme.example, finn\u200B@acme.example' },
    }),
    ...Object.entries(BAD_TAGS).map(([what, [when, Tags]]) =>
      faulty(`org-create-form-tags-${what}`, when, { ...org, filled: { ...fine, Tags } }),
    ),
  ],
};

export const quotaForm: Area = {
  id: 'quota-form',
  title: 'Form: a higher quota',
  entries: [
    reading(
      'quota-request-form-reading',
      'The form was opened, and the platform is still being asked.',
      'Raise a quota',
    ),
    opened('quota-request-form', 'A person asks for a higher quota of the org.', quota),
    opened('quota-request-form-named', 'The org and the quota were typed with the command.', {
      ...quota,
      given: { org: 'globex', name: 'workloads' },
    }),
    opened('quota-request-form-bare', 'The platform shows nothing but the names of the quotas.', {
      ...quota,
      platformData: { quotas: [{ name: 'workloads' }, { quotaName: 'gvcs' }, { id: 'q-7' }] },
    }),
    opened('quota-request-form-not-there', 'The org has no quota of that name.', {
      ...quota,
      given: { name: 'volumes' },
    }),
    opened(
      'quota-request-form-some-unread',
      'Some quotas could not be read, and one has no name.',
      {
        ...quota,
        platformData: { quotas: [{ name: 'gvcs', max: '10' }, { max: '3' }], skipped: 1 },
      },
    ),
    faulty('quota-request-form-empty', 'The form was sent with nothing in it.', {
      ...quota,
      filled: {},
    }),
    faulty('quota-request-form-zero', 'The maximum that is asked for is 0.', {
      ...quota,
      filled: { Quota: 'workloads', 'Requested maximum': '0' },
    }),
    faulty(
      'quota-request-form-not-more',
      'The maximum that is asked for is not above that of now.',
      {
        ...quota,
        filled: { Quota: 'workloads', 'Requested maximum': '50' },
      },
    ),
    modal(
      'quota-request-form-org-lost',
      'The form was opened before an update of Purser, and does not know its org.',
      async () => {
        const forms = formsOf({
          deps: { orgs: { known: ['acme', 'globex'], fallback: undefined } },
        });
        const form = await forms.open('quota.request', { org: 'acme' });
        const field = fieldOf(form, 'Quota');
        const verdict = await forms.routes['quota.request'].submit({
          person: ADA,
          values: { [field.block_id]: 'workloads', 'quota.request.maximum': '80' },
          state: '',
        });
        const errors = 'errors' in verdict ? verdict.errors : {};
        return withErrors(form, { Quota: errors[field.block_id] ?? '' });
      },
    ),
    notOpened('quota-request-form-none', 'The org shows no quota.', { ...quota, platformData: {} }),
    notOpened('quota-request-form-none-readable', 'The org has quotas, and none could be read.', {
      ...quota,
      platformData: { skipped: 2 },
    }),
    notOpened('quota-request-form-several-orgs', 'No org was named, and there are several.', {
      ...quota,
      deps: { orgs: { known: ['acme', 'globex'], fallback: undefined } },
    }),
    notOpened('quota-request-form-unknown-org', 'Purser has no key for the org that was named.', {
      ...quota,
      given: { org: 'initech' },
    }),
  ],
};
