import { Refusal } from '../../../lib/errors.ts';
import type { Recipient } from '../../../platform/billing/recipients.ts';
import {
  choiceIn,
  emailIn,
  flagIn,
  FRESH,
  idNote,
  inOrder,
  inputOf,
  missedNote,
  onlyOf,
  severalNote,
  unreadNote,
  withEmail,
} from '../../forms/fields.ts';
import type { Forms, RequestForm } from '../../forms/form.ts';
import type { ChangeKind } from '../kinds.ts';

type Existing = 'recipient.enable' | 'recipient.disable' | 'recipient.delete';

/** The forms of invoice e-mail recipients (spec 2.10, 4.3). */
export function recipientForms(): Forms<'recipient.add' | Existing> {
  return {
    'recipient.add': addForm,
    'recipient.enable': existingForm('recipient.enable', {
      title: 'Enable a recipient',
      consequence: 'New invoices are e-mailed to this address again.',
      fits: ({ enabled }) => enabled !== true,
      nobody: 'No recipient is disabled: /billing recipients add asks for a new one.',
    }),
    'recipient.disable': existingForm('recipient.disable', {
      title: 'Disable a recipient',
      consequence: 'The address stays in the list, and gets no new invoices.',
      fits: ({ enabled }) => enabled !== false,
      nobody: 'No recipient is enabled: /billing recipients add asks for a new one.',
    }),
    'recipient.delete': existingForm('recipient.delete', {
      title: 'Delete a recipient',
      consequence: 'The address leaves the list, and gets no new invoices.',
      fits: () => true,
      nobody: 'There is no recipient to delete: /billing recipients add asks for one.',
    }),
  };
}

const addForm: RequestForm = {
  title: 'Add a recipient',
  conflictField: 'recipient.add.email',
  fill: async (_, given) => ({
    notes: [],
    consequences: ['New invoices are e-mailed to this address while it is enabled.'],
    fields: [
      {
        id: 'recipient.add.email',
        type: 'email',
        label: 'E-mail',
        ...(given['email'] !== undefined && { initial: given['email'] }),
      },
      {
        id: 'recipient.add.enabled',
        type: 'flag',
        label: 'Enabled',
        text: 'Gets new invoices',
        initial: true,
      },
    ],
    memory: {},
  }),
  read: (values) =>
    inputOf(
      {
        email: emailIn(values, 'recipient.add.email'),
        enabled: flagIn(values, 'recipient.add.enabled'),
      },
      (recipient) => ({ kind: 'recipient.add', ...recipient }),
    ),
};

interface Wording {
  readonly title: string;
  readonly consequence: string;
  readonly fits: (recipient: Recipient) => boolean;
  readonly nobody: string;
}

function existingForm(kind: Existing & ChangeKind, wording: Wording): RequestForm {
  const field = `${kind}.email`;
  return {
    title: wording.title,
    conflictField: field,
    async fill(platform, given) {
      const { items, skipped } = (await platform.listRecipients(FRESH)).value;
      const recipients = items.filter((one) => wording.fits(one));
      const notes = unreadNote(skipped, 'recipient');
      if (recipients.length === 0) throw new Refusal([wording.nobody, ...notes].join(' '));
      const { id, email } = given;
      const named = withEmail(recipients, email);
      const chosen = onlyOf(recipients, id, named);
      return {
        notes: [
          ...(named.length === 0 ? missing(email, chosen, items) : []),
          ...(chosen === undefined ? severalNote(named, 'recipient', `address ${email}`) : []),
          ...notes,
        ],
        consequences: [wording.consequence],
        fields: [
          {
            id: field,
            type: 'choice',
            label: 'E-mail',
            options: inOrder(
              recipients.map((recipient) => ({
                text: recipient.email,
                value: recipient.id,
                ...aboutOf(recipient, withEmail(recipients, recipient.email)),
              })),
            ),
            ...(chosen && { initial: chosen.id }),
          },
        ],
        memory: {},
      };
    },
    read: (values) =>
      inputOf({ id: choiceIn(values, field) }, ({ id }) => ({ kind, recipientId: id, email: id })),
    async complete(platform, input) {
      if (input.kind !== kind) return input;
      const { items } = (await platform.listRecipients(FRESH)).value;
      const recipient = items.find(({ id }) => id === input.recipientId);
      if (recipient === undefined) {
        throw new Refusal(
          'That recipient is not there any more: /billing recipients shows those that are.',
        );
      }
      return { ...input, email: recipient.email };
    },
  };
}

function aboutOf(recipient: Recipient, namesakes: readonly Recipient[]): { about?: string } {
  const { enabled } = recipient;
  const state = enabled === undefined ? [] : [enabled ? 'enabled' : 'disabled'];
  const about = [...idNote(recipient, namesakes), ...state].join(' · ');
  return about === '' ? {} : { about };
}

/** The note for an address that cannot be chosen: it has that state already, or does not exist. */
function missing(
  email: string | undefined,
  chosen: Recipient | undefined,
  recipients: readonly Recipient[],
): string[] {
  const [there] = chosen === undefined ? withEmail(recipients, email) : [];
  if (there === undefined) return missedNote(email, chosen, 'recipient');
  return [`${there.email} is ${there.enabled === true ? 'enabled' : 'disabled'} already.`];
}
