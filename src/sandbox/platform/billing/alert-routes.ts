import type { FastifyInstance } from 'fastify';

import { body, number, optional, switchField } from '../control-schema.ts';
import { SandboxError } from '../errors.ts';
import type { Account, Alert } from './model.ts';
import type { Office } from './office.ts';
import { accountRoute, ADMIN, time } from './route.ts';

interface CreateBody {
  alert: { amount: number; enabled?: boolean };
}
interface ReplaceBody {
  alert: { amount?: number; enabled?: boolean };
}

const enabled = optional(switchField);
const CREATE = body({ alert: { schema: body({ amount: number(0), enabled }) } });
const REPLACE = body({ alert: { schema: body({ amount: optional(number(0)), enabled }) } });

/** The one spend alert of an account (spec 2.4 and 4.3). */
export function registerAlertRoutes(app: FastifyInstance, { guard, clock }: Office): void {
  const path = '/alert';
  const roles = ADMIN;

  accountRoute<CreateBody>(
    app,
    guard,
    { method: 'POST', path, roles, body: CREATE },
    ({ account, body, reply }) => {
      if (account.alert !== undefined) throw new SandboxError(409, 'the alert exists already');
      const { amount, enabled = false } = body.alert;
      const now = clock.now();
      account.alert = { amount, enabled, created: now, lastModified: now };
      reply.code(201);
      return renderAlert(account, account.alert);
    },
  );

  accountRoute<ReplaceBody>(
    app,
    guard,
    { method: 'PUT', path, roles, body: REPLACE },
    ({ account, body }) => {
      const alert = alertOf(account, 404);
      const { amount = 0, enabled = false } = body.alert;
      // Whatever is put arms a fired alert again (spec section 3).
      Object.assign(alert, { amount, enabled, lastModified: clock.now(), quietIn: undefined });
      return renderAlert(account, alert);
    },
  );

  accountRoute(app, guard, { method: 'GET', path, roles }, ({ account }) =>
    renderAlert(account, alertOf(account, 404)),
  );

  accountRoute(app, guard, { method: 'DELETE', path, roles }, ({ account }) => {
    alertOf(account, 500);
    account.alert = undefined;
    return {};
  });
}

function alertOf(account: Account, otherwise: 404 | 500): Alert {
  if (account.alert === undefined) throw new SandboxError(otherwise, 'there is no alert');
  return account.alert;
}

/** The alert as spec 2.4 has it; whether it is armed shows nowhere. */
export function renderAlert(account: Account, alert: Alert): object {
  const { amount, enabled, created, lastModified, lastTriggered, alertedTimes } = alert;
  return {
    kind: 'alert',
    accountUUID: account.id,
    amount,
    enabled,
    created: time(created),
    lastModified: time(lastModified),
    ...(lastTriggered === undefined ? {} : { lastTriggered: time(lastTriggered), alertedTimes }),
  };
}
