import { z } from 'zod';
import type { Recipient } from '../../../platform/billing/recipients.ts';
import { isSameEmail } from '../../../platform/billing/roles.ts';
import type { BillingClient } from '../../../platform/billing/client.ts';
import {
  type Fact,
  type Kind,
  BY_ADMINS,
  fact,
  kindGroup,
  meaningOf,
  outsideWarning,
  quoted,
  short,
  yesNo,
} from '../kind.ts';

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
type Selected = Omit<InputOf<'recipient.enable'>, 'kind'>;

const COMMON = { needs: BY_ADMINS, hasSecret: () => false, subjects: () => [], repeatable: true };

const recipientAdd: Kind<InputOf<'recipient.add'>> = {
  ...COMMON,
  kind: 'recipient.add',
  title: ({ email }) => `Add the invoice recipient ${short(email)}`,
  async plan(platform, input) {
    const [recipient, { value: users }] = await Promise.all([
      recipientAt(platform, input.email),
      platform.listUsers({ fresh: true }),
    ]);
    const warnings = outsideWarning(
      input.email,
      users.items.map(({ email }) => email),
    );
    const now = recipient ? factsOf(recipient) : [];
    const consequence = input.enabled
      ? mailed(input)
      : `Nothing is mailed to ${short(input.email)} until it is enabled.`;
    return {
      plan: { before: [...now], after: factsOf(input), consequences: [...warnings, consequence] },
      now,
      baseline: {},
      ...(recipient && { conflict: existing(input) }),
    };
  },
  async send(platform, { email, enabled }) {
    await platform.addRecipient({ email, enabled });
    return {};
  },
  async reconcile(platform, { email, enabled }) {
    const recipient = await recipientAt(platform, email);
    if (recipient === undefined) return { kind: 'not done' };
    // In the other state it may be ours, changed since, or another person's.
    return { kind: recipient.enabled === enabled ? 'done' : 'unclear' };
  },
  explain: (input, error) =>
    meaningOf(error, {
      conflict: existing(input),
      refused: `The platform does not add ${short(input.email)} (${quoted(error)}): check the address, and ask again.`,
    }),
};

function recipientSwitch<K extends 'recipient.enable' | 'recipient.disable'>(
  kind: K,
): Kind<Selected & { kind: K }> {
  const enabled = kind === 'recipient.enable';
  return {
    ...COMMON,
    kind,
    title: ({ email }: Selected) =>
      `${enabled ? 'Enable' : 'Disable'} the invoice recipient ${short(email)}`,
    async plan(platform, input: Selected) {
      const { recipient, isLast, now } = await see(platform, input);
      const { email } = recipient ?? input;
      const isSo = recipient?.enabled === enabled;
      const already = `${short(email)} is ${enabled ? 'enabled' : 'disabled'} already: /billing recipients shows who gets invoices.`;
      return {
        plan: {
          before: [...now],
          after: factsOf({ email, enabled }),
          consequences: enabled ? [mailed({ email })] : silenced(email, isLast),
        },
        now,
        baseline: {},
        ...(recipient ? isSo && { conflict: already } : { conflict: gone(input) }),
      };
    },
    async send(platform, { recipientId }: Selected) {
      await platform.setRecipientEnabled(recipientId, enabled);
      return {};
    },
    async reconcile(platform, input: Selected) {
      const { recipient } = await see(platform, input);
      if (recipient && recipient.enabled === undefined) return { kind: 'unclear' };
      // If the recipient is gone, sending again reports it.
      return { kind: recipient?.enabled === enabled ? 'done' : 'not done' };
    },
    explain: (input: Selected, error) => meaningOf(error, meaningsOf(input, quoted(error))),
  };
}

const recipientDelete: Kind<InputOf<'recipient.delete'>> = {
  ...COMMON,
  kind: 'recipient.delete',
  title: ({ email }) => `Delete the invoice recipient ${short(email)}`,
  async plan(platform, input) {
    const { recipient, isLast, now } = await see(platform, input);
    const { email } = recipient ?? input;
    return {
      plan: { before: [...now], after: [], consequences: silenced(email, isLast) },
      now,
      baseline: {},
      ...(recipient ? {} : { conflict: gone(input) }),
    };
  },
  async send(platform, { recipientId }) {
    await platform.removeRecipient(recipientId);
    return {};
  },
  async reconcile(platform, input) {
    const { recipient, isComplete } = await see(platform, input);
    if (recipient) return { kind: 'not done' };
    return { kind: isComplete ? 'done' : 'unclear' };
  },
  explain: (input, error) => meaningOf(error, meaningsOf(input, quoted(error))),
};

/** Changes of those who get invoices by e-mail (spec 2.10, 4.3). */
export const recipientKinds = kindGroup({
  inputs: INPUTS,
  commands: {
    'recipient.add': {
      ask: '/billing recipients add',
      look: '/billing recipients',
      button: 'Add a recipient',
    },
    'recipient.enable': {
      ask: '/billing recipients enable',
      look: '/billing recipients',
      button: 'Enable a recipient',
    },
    'recipient.disable': {
      ask: '/billing recipients disable',
      look: '/billing recipients',
      button: 'Disable a recipient',
    },
    'recipient.delete': {
      ask: '/billing recipients delete',
      look: '/billing recipients',
      button: 'Delete a recipient',
    },
  },
  create: () => ({
    'recipient.add': recipientAdd,
    'recipient.enable': recipientSwitch('recipient.enable'),
    'recipient.disable': recipientSwitch('recipient.disable'),
    'recipient.delete': recipientDelete,
  }),
});

async function recipientsOf(platform: BillingClient) {
  return (await platform.listRecipients({ fresh: true })).value;
}

async function recipientAt(platform: BillingClient, email: string): Promise<Recipient | undefined> {
  const { items } = await recipientsOf(platform);
  return items.find((recipient) => isSameEmail(recipient.email, email));
}

/** A recipient among all: the list shows whether any other is left. */
async function see(platform: BillingClient, { recipientId }: Selected) {
  const { items, skipped } = await recipientsOf(platform);
  const recipient = items.find(({ id }) => id === recipientId);
  const others = items.filter(({ id, enabled }) => id !== recipientId && enabled !== false);
  return {
    recipient,
    isLast: recipient !== undefined && recipient.enabled !== false && others.length === 0,
    now: recipient ? factsOf(recipient) : [],
    isComplete: skipped === 0,
  };
}

function factsOf({ email, enabled }: Pick<Recipient, 'email' | 'enabled'>): Fact[] {
  return [fact('E-mail', email), fact('Enabled', yesNo(enabled))];
}

function mailed({ email }: { email: string }): string {
  return `Every new invoice is mailed to ${short(email)} from now on.`;
}

function silenced(email: string, isLast: boolean): string[] {
  return [
    `New invoices are no longer mailed to ${short(email)}.`,
    ...(isLast
      ? [
          '⚠ This is the last enabled recipient in the list: after this nobody gets new invoices by e-mail.',
        ]
      : []),
  ];
}

function existing({ email }: { email: string }): string {
  return `${short(email)} is a recipient already: /billing recipients shows whether it is enabled.`;
}

function gone({ email }: Selected): string {
  return `${short(email)} is no recipient any more: /billing recipients shows who is.`;
}

function meaningsOf(input: Selected, words: string) {
  return {
    gone: gone(input),
    refused: `The platform does not change the recipient ${short(input.email)} (${words}): /billing recipients shows what is there.`,
  };
}
