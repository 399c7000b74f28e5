import type { FastifyInstance } from 'fastify';

import { body, optional, switchField } from '../control-schema.ts';
import { SandboxError } from '../errors.ts';
import { email } from './body-fields.ts';
import type { Account, Recipient } from './model.ts';
import type { Office } from './office.ts';
import { accountRoute, ADMIN } from './route.ts';

interface RecipientParams {
  recipientId: string;
}

const CREATE = body({ email, enabled: optional(switchField) });
const CHANGE = body({ enabled: switchField });

/** Who gets invoices by e-mail (spec 2.10 and 4.3). */
export function registerRecipientRoutes(app: FastifyInstance, { guard, ids }: Office): void {
  const path = '/invoice-delivery/recipients';
  const one = `${path}/:recipientId`;
  const roles = ADMIN;

  accountRoute(app, guard, { method: 'GET', path, roles }, ({ account }) => ({
    accountId: account.id,
    items: account.recipients,
  }));

  accountRoute<{ email: string; enabled?: boolean }>(
    app,
    guard,
    { method: 'POST', path, roles, body: CREATE },
    ({ account, body, reply }) => {
      const { email, enabled = true } = body;
      const isKnown = account.recipients.some(
        (recipient) => recipient.email.toLowerCase() === email.toLowerCase(),
      );
      if (isKnown) throw new SandboxError(409, 'the address is a recipient already');
      const recipient: Recipient = { id: ids.uuid(), email, enabled };
      account.recipients.push(recipient);
      reply.code(201);
      return recipient;
    },
  );

  accountRoute<{ enabled: boolean }, RecipientParams>(
    app,
    guard,
    { method: 'PATCH', path: one, roles, body: CHANGE },
    ({ account, body, params }) => {
      const recipient = recipientOf(account, params.recipientId);
      recipient.enabled = body.enabled;
      return recipient;
    },
  );

  accountRoute<undefined, RecipientParams>(
    app,
    guard,
    { method: 'DELETE', path: one, roles },
    ({ account, params, reply }) => {
      const { recipients } = account;
      recipients.splice(recipients.indexOf(recipientOf(account, params.recipientId)), 1);
      return reply.code(204).send();
    },
  );
}

function recipientOf(account: Account, id: string): Recipient {
  const recipient = account.recipients.find((candidate) => candidate.id === id);
  if (recipient === undefined) throw new SandboxError(404, 'the account has no such recipient');
  return recipient;
}
