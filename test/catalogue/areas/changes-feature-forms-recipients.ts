import type { Area, Entry } from '../entry.ts';
import { GROUND } from './changes-feature-data.ts';
import { faulty, notOpened, opened, reading } from './changes-feature-modals.ts';

const add = { name: 'recipient.add' } as const;
const [on, off, silent] = [
  { id: 'r-1', email: 'books@acme.example', enabled: true },
  { id: 'r-2', email: 'old-books@acme.example', enabled: false },
  { id: 'r-3', email: 'cfo@acme.example', enabled: undefined },
];

/** Requests about an existing recipient: `fit` can be chosen, `unfit` is in that state already. */
const EXISTING = [
  { act: 'enable', fit: off, unfit: on },
  { act: 'disable', fit: on, unfit: off },
  { act: 'delete', fit: on, unfit: undefined },
] as const;

function existing({ act, fit, unfit }: (typeof EXISTING)[number]): Entry[] {
  const form = { name: `recipient.${act}` } as const;
  const id = `recipient-${act}-form`;
  const twins = { recipients: [fit, { ...fit, id: 'r-9' }, { ...silent, id: 'r-8' }] };
  return [
    opened(id, `A person asks to ${act} a recipient of invoices.`, form),
    opened(`${id}-chosen`, 'The address was typed with the command.', {
      ...form,
      given: { email: fit.email },
    }),
    opened(`${id}-several`, 'The address is there twice.', {
      ...form,
      platformData: twins,
      given: { email: fit.email },
    }),
    opened(`${id}-one-of-several`, 'A button names one of two recipients of the same address.', {
      ...form,
      platformData: twins,
      given: { id: 'r-9', email: fit.email },
    }),
    opened(`${id}-not-there`, 'The address is not one of the recipients.', {
      ...form,
      given: { email: 'zoe@acme.example' },
    }),
    ...(unfit === undefined
      ? []
      : [
          opened(`${id}-so-already`, `The recipient is ${act}d already.`, {
            ...form,
            given: { email: unfit.email },
          }),
        ]),
    opened(`${id}-some-unread`, 'Some recipients could not be read.', {
      ...form,
      platformData: { ...GROUND, skipped: 2 },
    }),
    faulty(`${id}-nothing-chosen`, 'The form was sent without a recipient.', {
      ...form,
      filled: {},
    }),
    faulty(`${id}-gone`, 'The recipient was deleted while the form was open.', {
      ...form,
      filled: { 'E-mail': 'r-0' },
    }),
    notOpened(`${id}-none`, `There is no recipient to ${act}.`, { ...form, platformData: {} }),
    notOpened(`${id}-none-readable`, 'There are recipients, and none could be read.', {
      ...form,
      platformData: { skipped: 1 },
    }),
  ];
}

export const recipientForms: Area = {
  id: 'recipient-forms',
  title: 'Forms: who gets invoices by e-mail',
  entries: [
    reading(
      'recipient-form-reading',
      'A form about recipients was opened, and the platform is still being asked.',
      'Disable a recipient',
    ),
    opened('recipient-add-form', 'A person asks for a new recipient of invoices.', add),
    opened('recipient-add-form-named', 'The address was typed with the command.', {
      ...add,
      given: { email: 'audit@acme.example' },
    }),
    faulty('recipient-add-form-empty', 'The form was sent without an address.', {
      ...add,
      filled: {},
    }),
    faulty('recipient-add-form-no-address', 'The typed text is not an e-mail address.', {
      ...add,
      filled: { 'E-mail': 'books@' },
    }),
    faulty('recipient-add-form-there-already', 'The address is that of a recipient already.', {
      ...add,
      filled: { 'E-mail': 'books@acme.example' },
    }),
    faulty('recipient-add-form-there-disabled', 'The recipient is there, and gets no invoices.', {
      ...add,
      filled: { 'E-mail': 'old-books@acme.example' },
    }),
    ...EXISTING.flatMap(existing),
  ],
};
