import { isSameEmail } from '../../platform/billing/users.ts';
import type { Recipient } from '../../platform/billing/recipients.ts';
import type { Fact, OrderOf } from '../change.ts';
import type { Kind, Kinds, Platform } from './kind.ts';
import { BY_ADMINS, fact, meaningOf, quoted, short, yesNo } from './words.ts';

type Known = OrderOf<'recipient.enable' | 'recipient.disable' | 'recipient.delete'>;

const COMMON = { needs: BY_ADMINS, hasSecret: () => false, subjects: () => [], repeatable: true };

const recipientAdd: Kind<'recipient.add'> = {
  ...COMMON,
  kind: 'recipient.add',
  title: ({ email }) => `Add the invoice recipient ${short(email)}`,
  async look(platform, order) {
    const recipient = await recipientAt(platform, order.email);
    const now = recipient ? factsOf(recipient) : [];
    const consequence = order.enabled
      ? mailed(order)
      : `Nothing is mailed to ${short(order.email)} until it is enabled.`;
    return {
      plan: { before: [...now], after: factsOf(order), consequences: [consequence] },
      now,
      marks: {},
      ...(recipient && { conflict: existing(order) }),
    };
  },
  async send(platform, { email, enabled }) {
    await platform.addRecipient({ email, enabled });
    return {};
  },
  async settle(platform, { email, enabled }) {
    const recipient = await recipientAt(platform, email);
    if (recipient === undefined) return { kind: 'not done' };
    // Switched otherwise it may be ours, changed since, or somebody else's.
    return { kind: recipient.enabled === enabled ? 'done' : 'unclear' };
  },
  explain: (order, error) =>
    meaningOf(error, {
      conflict: existing(order),
      refused: `The platform does not add ${short(order.email)} (${quoted(error)}): check the address, and ask again.`,
    }),
};

/** Switching a recipient on and off differ in one word each. */
function recipientSwitch<K extends 'recipient.enable' | 'recipient.disable'>(kind: K): Kind<K> {
  const enabled = kind === 'recipient.enable';
  return {
    ...COMMON,
    kind,
    title: ({ email }: Known) =>
      `${enabled ? 'Enable' : 'Disable'} the invoice recipient ${short(email)}`,
    async look(platform, order: Known) {
      const { recipient, isLast, now } = await see(platform, order);
      const { email } = recipient ?? order;
      const isSo = recipient?.enabled === enabled;
      const already = `${short(email)} is ${enabled ? 'enabled' : 'disabled'} already: /billing recipients shows who gets invoices.`;
      return {
        plan: {
          before: [...now],
          after: factsOf({ email, enabled }),
          consequences: enabled ? [mailed({ email })] : silenced(email, isLast),
        },
        now,
        marks: {},
        ...(recipient ? isSo && { conflict: already } : { conflict: gone(order) }),
      };
    },
    async send(platform, { recipientId }: Known) {
      await platform.setRecipientEnabled(recipientId, enabled);
      return {};
    },
    async settle(platform, order: Known) {
      const { recipient } = await see(platform, order);
      if (recipient && recipient.enabled === undefined) return { kind: 'unclear' };
      // Of one that is gone, sending again says so.
      return { kind: recipient?.enabled === enabled ? 'done' : 'not done' };
    },
    explain: (order: Known, error) => meaningOf(error, meaningsOf(order, quoted(error))),
  };
}

const recipientDelete: Kind<'recipient.delete'> = {
  ...COMMON,
  kind: 'recipient.delete',
  title: ({ email }) => `Delete the invoice recipient ${short(email)}`,
  async look(platform, order) {
    const { recipient, isLast, now } = await see(platform, order);
    const { email } = recipient ?? order;
    return {
      plan: { before: [...now], after: [], consequences: silenced(email, isLast) },
      now,
      marks: {},
      ...(recipient ? {} : { conflict: gone(order) }),
    };
  },
  async send(platform, { recipientId }) {
    await platform.removeRecipient(recipientId);
    return {};
  },
  async settle(platform, order) {
    const { recipient, isComplete } = await see(platform, order);
    if (recipient) return { kind: 'not done' };
    return { kind: isComplete ? 'done' : 'unclear' };
  },
  explain: (order, error) => meaningOf(error, meaningsOf(order, quoted(error))),
};

/** Changes of those who get invoices by e-mail (spec 2.10, 4.3). */
export const recipientKinds: Pick<
  Kinds,
  'recipient.add' | 'recipient.enable' | 'recipient.disable' | 'recipient.delete'
> = {
  'recipient.add': recipientAdd,
  'recipient.enable': recipientSwitch('recipient.enable'),
  'recipient.disable': recipientSwitch('recipient.disable'),
  'recipient.delete': recipientDelete,
};

async function recipientsOf(platform: Platform) {
  return (await platform.listRecipients({ fresh: true })).value;
}

async function recipientAt(platform: Platform, email: string): Promise<Recipient | undefined> {
  const { items } = await recipientsOf(platform);
  return items.find((recipient) => isSameEmail(recipient.email, email));
}

/** A recipient among all: the others tell whether anybody is left. */
async function see(platform: Platform, { recipientId }: Known) {
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

function gone({ email }: Known): string {
  return `${short(email)} is no recipient any more: /billing recipients shows who is.`;
}

function meaningsOf(order: Known, words: string) {
  return {
    gone: gone(order),
    refused: `The platform does not change the recipient ${short(order.email)} (${words}): /billing recipients shows what is there.`,
  };
}
