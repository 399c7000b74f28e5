import { BigNumber } from 'bignumber.js';
import { type Area, DAY, NOW, refusal } from '../entry.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { readBy } from '../../support/audience.ts';
import { charges } from '../../unit/features/alert/scenario.ts';
import { AT_ONCE, SELF_APPROVED, type PlatformData } from '../../unit/changes/forms/harness.ts';
import { GROUND } from './changes-feature-data.ts';
import { faulty, formsOf, notOpened, opened, reading } from './changes-feature-modals.ts';

const [set, off, gone] = [
  { name: 'alert.set' } as const,
  { name: 'alert.off' } as const,
  { name: 'alert.delete' } as const,
];
const bare = {};
const alerts = {
  on: { alert: {} },
  off: { alert: { enabled: false } },
  fired: { alert: { lastTriggered: NOW - 2 * DAY } },
  'off-but-fired': { alert: { enabled: false, lastTriggered: NOW - 2 * DAY } },
  'with-cents': { alert: { amount: new BigNumber('1234.5') } },
  'amount-not-said': { alert: { amount: undefined } },
  'state-not-said': { alert: { enabled: undefined } },
} as const;
/** The charges of this month, as far as they are known; there is no alert yet. */
const spends = {
  'spend-not-read': [
    'The charges of this month cannot be read.',
    { spend: new PlatformError('timeout', 'no answer') },
  ],
  'spend-in-part': [
    'Some charges of this month cannot be read.',
    { spend: { ...charges({ org: 'acme', total: 310, projected: 420 }), skipped: 2 } },
  ],
  'spend-nothing': ['Nothing is charged this month.', { spend: charges() }],
} as const;

/** States of the alert when the form that switches it off is sent. */
const meanwhile = {
  off: ['The form was sent, and a person has switched the alert off.', { enabled: false }],
  'amount-gone': [
    'The form was sent, and the platform no longer shows the amount.',
    { amount: undefined },
  ],
} as const;

export const alertForms: Area = {
  id: 'alert-forms',
  title: 'Forms: the spend alert',
  entries: [
    reading(
      'alert-form-reading',
      'A form was opened, and the platform is still being asked.',
      'Set the spend alert',
    ),
    opened('alert-set-form-none-yet', 'A person asks for a spend alert, and nothing is there.', {
      ...set,
      platformData: bare,
    }),
    opened('alert-set-form-amount-typed', 'The amount was typed with the command.', {
      ...set,
      given: { amount: '750' },
    }),
    opened(
      'alert-set-form-amount-unreadable',
      'The typed amount is not a number, so the form shows the current amount.',
      { ...set, given: { amount: 'much' } },
    ),
    opened('alert-set-form-enable', 'The alert is off, and a button asks to switch it on.', {
      ...set,
      platformData: alerts.off,
      given: { enabled: 'true' },
    }),
    ...Object.entries(alerts).map(([state, platformData]) =>
      opened(
        `alert-set-form-${state}`,
        `A person asks for another spend alert; the present one: ${state.replaceAll('-', ' ')}.`,
        { ...set, platformData },
      ),
    ),
    ...Object.entries(spends).map(([name, [when, platformData]]) =>
      opened(`alert-set-form-${name}`, `A person asks for a spend alert. ${when}`, {
        ...set,
        platformData,
      }),
    ),
    opened('alert-set-form-reached', 'The typed amount is below the charges of this month.', {
      ...set,
      given: { amount: '300' },
    }),
    opened('alert-set-form-reached-off', 'The same, of an alert that is off.', {
      ...set,
      platformData: alerts.off,
      given: { amount: '300' },
    }),
    opened('alert-set-form-at-once', 'No approval is needed: the change is carried out at once.', {
      ...set,
      deps: { config: AT_ONCE },
    }),
    opened('alert-set-form-self-approved', 'People may approve their own requests.', {
      ...set,
      deps: { config: SELF_APPROVED },
    }),
    opened('alert-set-form-shared', 'People from another company read APPROVALS_CHANNEL.', {
      ...set,
      deps: { audience: readBy({ isShared: true }) },
    }),
    opened('alert-set-form-unposted', 'APPROVALS_CHANNEL is archived.', {
      ...set,
      deps: { audience: readBy({ isArchived: true }) },
    }),
    faulty('alert-set-form-no-amount', 'The form was sent without an amount.', {
      ...set,
      platformData: bare,
      filled: { Amount: '' },
    }),
    faulty('alert-set-form-no-reason', 'The reason is blank.', {
      ...set,
      filled: { Reason: ' ' },
    }),
    faulty('alert-set-form-amount-two-readings', 'The amount has a point before three digits.', {
      ...set,
      filled: { Amount: '1.500' },
    }),
    faulty(
      'alert-set-form-amount-too-long',
      'The amount has more digits than can be sent exactly.',
      {
        ...set,
        filled: { Amount: '500.00000000000000000001' },
      },
    ),
    opened('alert-off-form-on', 'A person asks to switch off the alert.', off),
    opened('alert-off-form-fired', 'The alert that is to be switched off has fired this month.', {
      ...off,
      platformData: alerts.fired,
    }),
    opened('alert-off-form-state-not-said', 'The platform omits whether the alert is on.', {
      ...off,
      platformData: alerts['state-not-said'],
    }),
    opened(
      'alert-off-form-amount-not-said',
      'The platform omits the amount, which would become 0.',
      { ...off, platformData: alerts['amount-not-said'] },
    ),
    faulty('alert-off-form-no-amount', 'The amount is not known, and none was filled in.', {
      ...off,
      platformData: alerts['amount-not-said'],
      filled: { Amount: '' },
    }),
    refusal(
      'alert-off-form-amount-lost',
      'The form was sent, and has lost its amount.',
      async () => {
        const forms = formsOf({});
        const form = await forms.open('alert.off');
        return forms.submit('alert.off', { ...form, state: '' });
      },
    ),
    ...Object.entries(meanwhile).map(([what, [when, alert]]) =>
      refusal(`alert-off-form-${what}-meanwhile`, when, async () => {
        const platformData: PlatformData = { ...GROUND };
        const forms = formsOf({ platformData });
        const form = await forms.open('alert.off');
        Object.assign(platformData, { alert });
        return forms.submit('alert.off', form);
      }),
    ),
    notOpened('alert-off-form-none', 'There is no alert to switch off.', {
      ...off,
      platformData: bare,
    }),
    notOpened('alert-off-form-off-already', 'The alert is off already.', {
      ...off,
      platformData: alerts.off,
    }),
    opened(
      'alert-delete-form',
      'A person asks to delete the alert: there is nothing to fill in.',
      gone,
    ),
    notOpened('alert-delete-form-none', 'There is no alert to delete.', {
      ...gone,
      platformData: bare,
    }),
  ],
};
