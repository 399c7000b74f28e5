import { z } from 'zod';
import { Refusal } from '../../lib/errors.ts';
import type { Listing } from '../../platform/billing/calls.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import type { Recipient } from '../../platform/billing/recipients.ts';
import {
  choiceField,
  choiceOf,
  emailField,
  flagField,
  idMark,
  inputOf,
  type FormsOf,
  type RequestForm,
} from '../forms/fields.ts';
import {
  type Conflict,
  type Fact,
  type Kind,
  BY_ADMINS,
  conflict,
  fact,
  FRESH,
  gone,
  kindGroup,
  outsideWarning,
  refusedSentence,
  sent,
  short,
  withEmail,
  yesNo,
} from './kind.ts';

const text = z.string().min(1);
const selected = { recipientId: text, email: text };
const INPUTS = [
  z.object({ kind: z.literal('recipient.add'), email: text, enabled: z.boolean() }),
  z.object({ kind: z.literal('recipient.enable'), ...selected }),
  z.object({ kind: z.literal('recipient.disable'), ...selected }),
  z.object({ kind: z.literal('recipient.delete'), ...selected }),
] as const;
type RecipientInput = z.infer<(typeof INPUTS)[number]>;
type InputOf<K extends RecipientInput['kind']> = Extract<RecipientInput, { kind: K }>;
type Existing = Exclude<RecipientInput['kind'], 'recipient.add'>;
type Selected = InputOf<Existing>;
type Recipients = Listing<Recipient>;

/** Changes of those who get invoices by e-mail (spec 2.10, 4.3). */
export const recipientKinds = kindGroup({
  inputs: INPUTS,
  look: '/billing recipients',
  commands: {
    'recipient.add': { ask: '/billing recipients add', button: 'Add a recipient' },
    'recipient.enable': { ask: '/billing recipients enable', button: 'Enable a recipient' },
    'recipient.disable': { ask: '/billing recipients disable', button: 'Disable a recipient' },
    'recipient.delete': { ask: '/billing recipients delete', button: 'Delete a recipient' },
  },
  create: () => ({
    'recipient.add': recipientAdd,
    'recipient.enable': recipientSwitch<InputOf<'recipient.enable'>>(true),
    'recipient.disable': recipientSwitch<InputOf<'recipient.disable'>>(false),
    'recipient.delete': recipientDelete,
  }),
});

async function read(platform: BillingClient): Promise<Recipients> {
  return (await platform.listRecipients(FRESH)).value;
}

interface AddState {
  readonly recipients: Recipients;
  /** Of the billing users. */
  readonly emails: readonly string[];
}

const recipientAdd: Kind<InputOf<'recipient.add'>, AddState> = {
  ...BY_ADMINS,
  title: ({ email }) => `Add the invoice recipient ${short(email)}`,
  async read(platform) {
    const [recipients, users] = await Promise.all([read(platform), platform.listUsers(FRESH)]);
    return { recipients, emails: users.value.items.map(({ email }) => email) };
  },
  plan({ recipients, emails }, input) {
    const { email, enabled } = input;
    const there = withEmail(recipients.items, email);
    const consequence = enabled
      ? mailed(email)
      : `Nothing is mailed to ${short(email)} until it is enabled.`;
    return {
      conflict: there && existing(there),
      before: there ? factsOf(there) : [],
      after: factsOf(input),
      consequences: [...outsideWarning(email, emails), consequence],
    };
  },
  send: (platform, { email, enabled }) => sent(platform.addRecipient({ email, enabled })),
  settle({ recipients }, { email, enabled }) {
    const there = withEmail(recipients.items, email);
    if (there === undefined) return { kind: 'not done' };
    // In the other state it may be ours, changed since, or another person's.
    return { kind: there.enabled === enabled ? 'done' : 'unclear' };
  },
  refusals: ({ email }, words) => ({
    conflict: existing({ email, enabled: undefined }),
    refused: refusedSentence(`add ${short(email)}`, words),
  }),
};

/** Of a recipient that is there. */
const SELECTED = {
  ...BY_ADMINS,
  read,
  resolve<Input extends Selected>(recipients: Recipients, input: Input): Input {
    const recipient = selectedIn(recipients, input);
    if (recipient !== undefined) return { ...input, email: recipient.email };
    throw new Refusal('That recipient no longer exists: /billing recipients shows those that do.');
  },
};

/** @param what "delete" */
function refusalsOf(what: string) {
  return (input: Selected, words: string) => ({
    gone: goneOf(input),
    refused: refusedSentence(`${what} the recipient ${short(input.email)}`, words),
  });
}

function recipientSwitch<Input extends InputOf<'recipient.enable' | 'recipient.disable'>>(
  enabled: boolean,
): Kind<Input, Recipients> {
  const state = enabled ? 'enabled' : 'disabled';
  return {
    ...SELECTED,
    refusals: refusalsOf(enabled ? 'enable' : 'disable'),
    title: ({ email }) => `${enabled ? 'Enable' : 'Disable'} the invoice recipient ${short(email)}`,
    plan(recipients, input) {
      const recipient = selectedIn(recipients, input);
      const { email } = recipient ?? input;
      const already = conflict(
        `${short(email)} is ${state} already`,
        '/billing recipients shows who gets invoices.',
      );
      const isSo = recipient?.enabled === enabled;
      return {
        conflict: recipient ? (isSo ? already : undefined) : missing(recipients, input),
        before: recipient ? factsOf(recipient) : [],
        after: factsOf({ email, enabled }),
        consequences: enabled ? [mailed(email)] : silenced(recipients, input),
      };
    },
    send: (platform, { recipientId }) => sent(platform.setRecipientEnabled(recipientId, enabled)),
    settle(recipients, input) {
      const recipient = selectedIn(recipients, input);
      if (recipient && recipient.enabled === undefined) return { kind: 'unclear' };
      // If the recipient is gone, sending again reports it.
      return { kind: recipient?.enabled === enabled ? 'done' : 'not done' };
    },
  };
}

const recipientDelete: Kind<InputOf<'recipient.delete'>, Recipients> = {
  ...SELECTED,
  refusals: refusalsOf('delete'),
  title: ({ email }) => `Delete the invoice recipient ${short(email)}`,
  plan(recipients, input) {
    const recipient = selectedIn(recipients, input);
    return {
      conflict: recipient ? undefined : missing(recipients, input),
      before: recipient ? factsOf(recipient) : [],
      after: [],
      consequences: silenced(recipients, input),
    };
  },
  send: (platform, { recipientId }) => sent(platform.removeRecipient(recipientId)),
  settle(recipients, input) {
    if (selectedIn(recipients, input)) return { kind: 'not done' };
    return { kind: recipients.skipped === 0 ? 'done' : 'unclear' };
  },
};

function selectedIn({ items }: Recipients, { recipientId }: Selected): Recipient | undefined {
  return items.find(({ id }) => id === recipientId);
}

function factsOf({ email, enabled }: Pick<Recipient, 'email' | 'enabled'>): Fact[] {
  return [fact('E-mail', email), fact('Enabled', yesNo(enabled))];
}

function mailed(email: string): string {
  return `Every new invoice is mailed to ${short(email)} from now on.`;
}

function silenced(recipients: Recipients, input: Selected): string[] {
  const recipient = selectedIn(recipients, input);
  if (recipient?.enabled === false) return [SILENT];
  const others = recipients.items.filter(
    ({ id, enabled }) => id !== input.recipientId && enabled !== false,
  );
  return [
    `New invoices are no longer mailed to ${short((recipient ?? input).email)}.`,
    ...(recipient !== undefined && others.length === 0 ? [LAST] : []),
  ];
}

const SILENT = 'It is switched off already: no invoice is mailed to it now.';
const LAST =
  '⚠ This is the last enabled recipient in the list: after this no one gets new invoices by e-mail.';

/** @param enabled undefined: unknown */
function existing({ email, enabled }: Pick<Recipient, 'email' | 'enabled'>): Conflict {
  const there = `${short(email)} is a recipient already`;
  if (enabled === undefined) {
    return conflict(there, '/billing recipients shows whether it is enabled.');
  }
  return enabled
    ? conflict(`${there}, and enabled`, 'nothing to add.')
    : conflict(`${there}, but disabled`, '/billing recipients enable asks for it.');
}

/** The address can be there again, with another id. */
function missing({ items }: Recipients, input: Selected): Conflict {
  return withEmail(items, input.email)
    ? conflict(`${short(input.email)} was deleted and added again since`, 'ask again.', true)
    : goneOf(input);
}

function goneOf({ email }: Selected): Conflict {
  return gone(`${short(email)} is no longer a recipient`, '/billing recipients shows who is.');
}

/** The forms of invoice e-mail recipients (spec 2.10, 4.3). */
export function recipientForms(): FormsOf<'recipient.add' | Existing, RecipientInput> {
  return {
    'recipient.add': addForm,
    'recipient.enable': existingForm('recipient.enable', {
      title: 'Enable a recipient',
      consequence: 'New invoices are e-mailed to this address again.',
      fits: ({ enabled }) => enabled !== true,
      none: 'No recipient is disabled: /billing recipients add asks for a new one.',
    }),
    'recipient.disable': existingForm('recipient.disable', {
      title: 'Disable a recipient',
      consequence: 'The address stays in the list, and gets no new invoices.',
      fits: ({ enabled }) => enabled !== false,
      none: 'No recipient is enabled: /billing recipients add asks for a new one.',
    }),
    'recipient.delete': existingForm('recipient.delete', {
      title: 'Delete a recipient',
      consequence: 'The address leaves the list, and gets no new invoices.',
      fits: () => true,
      none: 'There is no recipient to delete: /billing recipients add asks for one.',
    }),
  };
}

const ADD = {
  email: emailField('recipient.add.email'),
  enabled: flagField({
    id: 'recipient.add.enabled',
    label: 'Enabled',
    text: 'Gets new invoices',
  }),
};

const addForm: RequestForm<RecipientInput> = {
  title: 'Add a recipient',
  conflictField: ADD.email.id,
  open: async ({ given }) => ({
    consequences: ['New invoices are e-mailed to this address while it is enabled.'],
    fields: [ADD.email.block(given['email']), ADD.enabled.block(given['enabled'] !== 'false')],
  }),
  read: (submitted) =>
    inputOf(ADD, submitted, (recipient) => ({ kind: 'recipient.add', ...recipient })),
};

interface Wording {
  readonly title: string;
  readonly consequence: string;
  readonly fits: (recipient: Recipient) => boolean;
  /** The refusal when no recipient fits. */
  readonly none: string;
}

function existingForm(
  kind: Existing,
  { title, consequence, fits, none }: Wording,
): RequestForm<RecipientInput> {
  const field = choiceField({ id: `${kind}.email`, label: 'E-mail' });
  return {
    title,
    conflictField: field.id,
    async open({ platform, given: { id, email } }) {
      const { items, skipped } = await read(platform);
      const recipients = { items: items.filter(fits), skipped };
      const { chosen, options, notes } = choiceOf(
        recipients,
        { ...RECIPIENTS, none, missing: (name) => alreadySo(items, name) },
        { id, name: email },
      );
      return {
        notes,
        consequences: [consequence],
        fields: [field.block(options, chosen?.id)],
      };
    },
    read: (submitted) =>
      inputOf({ id: field }, submitted, ({ id }) => ({ kind, recipientId: id, email: id })),
  };
}

const RECIPIENTS = {
  what: 'recipient',
  by: 'address',
  optionOf: (recipient: Recipient, namesakes: readonly Recipient[]) => ({
    text: recipient.email,
    value: recipient.id,
    mark: idMark(recipient, namesakes),
    about: recipient.enabled === undefined ? undefined : stateOf(recipient),
  }),
  look: '/billing recipients',
} as const;

/** One that does not fit the form has that state already. */
function alreadySo(recipients: readonly Recipient[], email: string): string | undefined {
  const there = withEmail(recipients, email);
  return there && `${there.email} is ${stateOf(there)} already.`;
}

function stateOf({ enabled }: Pick<Recipient, 'enabled'>): string {
  return enabled === true ? 'enabled' : 'disabled';
}
