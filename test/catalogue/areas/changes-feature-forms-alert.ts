import { BigNumber } from 'bignumber.js';
import type { Area } from '../entry.ts';
import { DAY, NOW } from '../entry.ts';
import { faulty, notOpened, opened, reading } from './changes-feature-modals.ts';

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

export const alertForms: Area = {
  id: 'alert-forms',
  title: 'Forms: the spend alert',
  entries: [
    reading(
      'alert-form-reading',
      'A form was opened, and the platform is still being asked.',
      'Set the spend alert',
    ),
    opened('alert-set-form-none-yet', 'Somebody asks for a spend alert, and there is none.', {
      ...set,
      ground: bare,
    }),
    opened('alert-set-form-amount-typed', 'The amount was typed with the command.', {
      ...set,
      given: { amount: '750' },
    }),
    opened(
      'alert-set-form-amount-unreadable',
      'What was typed as the amount is no number, so the amount of now stands in the form.',
      { ...set, given: { amount: 'much' } },
    ),
    opened('alert-set-form-enable', 'The alert is off, and a button asks to switch it on.', {
      ...set,
      ground: alerts.off,
      given: { enabled: 'true' },
    }),
    ...Object.entries(alerts).map(([state, ground]) =>
      opened(
        `alert-set-form-${state}`,
        `Somebody asks for another spend alert; the present one: ${state.replaceAll('-', ' ')}.`,
        { ...set, ground },
      ),
    ),
    opened('alert-set-form-at-once', 'Nobody has to approve: what is sent is carried out.', {
      ...set,
      deps: { approvalsRequired: false },
    }),
    faulty('alert-set-form-no-amount', 'The form was sent without an amount.', {
      ...set,
      ground: bare,
      filled: {},
    }),
    faulty(
      'alert-set-form-amount-too-long',
      'The amount has more digits than can be sent exactly.',
      {
        ...set,
        filled: { Amount: '500.00000000000000000001' },
      },
    ),
    opened('alert-off-form-on', 'Somebody asks to switch off the alert.', off),
    opened('alert-off-form-fired', 'The alert that is to be switched off has fired this month.', {
      ...off,
      ground: alerts.fired,
    }),
    opened(
      'alert-off-form-off-but-fired',
      'The alert is off already and has fired this month: saving it arms it again.',
      { ...off, ground: alerts['off-but-fired'] },
    ),
    faulty('alert-off-form-no-amount', 'The amount was emptied before the form was sent.', {
      ...off,
      filled: { Amount: '' },
    }),
    notOpened('alert-off-form-none', 'There is no alert to switch off.', { ...off, ground: bare }),
    notOpened(
      'alert-off-form-off-already',
      'The alert is off already, and has not fired this month.',
      { ...off, ground: alerts.off },
    ),
    opened(
      'alert-delete-form',
      'Somebody asks to delete the alert: there is nothing to fill in.',
      gone,
    ),
    notOpened('alert-delete-form-none', 'There is no alert to delete.', { ...gone, ground: bare }),
  ],
};
