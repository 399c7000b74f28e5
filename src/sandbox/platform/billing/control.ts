import type { FastifyInstance } from 'fastify';

import {
  body,
  integer,
  number,
  optional,
  switchField,
  text,
  timeOrNull,
} from '../control-schema.ts';
import { SandboxError } from '../errors.ts';
import { renderAlert } from './alert-routes.ts';
import { email, roles } from './body-fields.ts';
import type { Ledger } from './ledger.ts';
import type { Account, BillingRole, BillingToken } from './model.ts';
import type { Office } from './office.ts';
import { time } from './route.ts';

interface AccountBody {
  account?: string;
}
type AccountChange = AccountBody &
  Partial<Pick<Account, 'enabled' | 'tou' | 'orgQuota' | 'paymentMethods'>>;

interface TokenBody extends AccountBody {
  id: string;
  /** RFC 3339; null: never. */
  lastUsedAt: string | null;
}

const account = optional(text);
const card = body({ last4: text, brand: text });

const FIRE = body({ account });
const STAMP = body({ seconds: optional(number(0)) });
const USER = body({ account, email, roles: roles(0) });
const ACCOUNT = body({
  account,
  enabled: optional(switchField),
  tou: optional(switchField),
  orgQuota: optional(integer(0)),
  paymentMethods: optional({ schema: { type: 'array', items: card } }),
});
const ORG = body({ org: text, active: switchField });
const TOKEN = body({ account, id: text, lastUsedAt: timeOrNull });
const PERMISSION = body({ org: text, readMetrics: switchField });

/**
 * Changes of accounts by a person or a test, under `/_sandbox`. `account` is the id of one; without
 * it, the account that pays for the seeded orgs is meant.
 */
export function registerBillingControl(app: FastifyInstance, office: Office): void {
  const { ledger, mailbox, alerts, grants, auth, clock } = office;
  registerTokenControl(app, office);
  const accountOf = ({ account }: AccountBody) => findAccount(ledger, account);

  app.get('/emails', async () => ({
    emails: mailbox.all().map((mail) => ({ ...mail, at: time(mail.at) })),
  }));

  app.post<{ Body: AccountBody }>('/alert/fire', { schema: { body: FIRE } }, async ({ body }) => ({
    fired: alerts.reach(accountOf(body)),
  }));

  app.post<{ Body: { seconds?: number } }>(
    '/alert/stamp',
    { schema: { body: STAMP } },
    async ({ body: { seconds } }) => {
      alerts.stampAfter(seconds === undefined ? undefined : seconds * 1000);
      return { ok: true };
    },
  );

  app.post<{ Body: AccountBody & { email: string; roles: BillingRole[] } }>(
    '/users',
    { schema: { body: USER } },
    async ({ body }) => {
      const { email, roles } = body;
      if (roles.length > 0) ledger.setRoles(accountOf(body), email, roles, clock.now());
      else accountOf(body).users.delete(email.toLowerCase());
      return { ok: true };
    },
  );

  app.post<{ Body: AccountChange }>('/account', { schema: { body: ACCOUNT } }, async ({ body }) => {
    const { account: _named, ...changes } = body;
    Object.assign(accountOf(body), changes);
    return { ok: true };
  });

  app.post<{ Body: { org: string; active: boolean } }>(
    '/org',
    { schema: { body: ORG } },
    async ({ body }) => {
      const payer = ledger.payerOf(body.org);
      if (payer === undefined) throw new SandboxError(404, `there is no org ${body.org}`);
      payer.org.active = body.active;
      return { ok: true };
    },
  );

  app.post<{ Body: { org: string; readMetrics: boolean } }>(
    '/permissions',
    { schema: { body: PERMISSION } },
    async ({ body }) => {
      auth.setReadMetrics(body.org, body.readMetrics);
      return { ok: true };
    },
  );

  app.post('/auth-cache/clear', async () => {
    grants.clear();
    return { ok: true };
  });
}

/** When a token was used last. */
function registerTokenControl(app: FastifyInstance, { ledger, clock }: Office): void {
  app.post<{ Body: TokenBody }>('/token', { schema: { body: TOKEN } }, async ({ body }) => {
    const token = findToken(findAccount(ledger, body.account), body.id);
    if (body.lastUsedAt === null) delete token.lastUsedAt;
    else token.lastUsedAt = usableTime(token, body.lastUsedAt, clock.now());
    return { ok: true };
  });
}

function findAccount(ledger: Ledger, id: string | undefined): Account {
  const account = id === undefined ? ledger.accounts[0] : ledger.account(id);
  if (account === undefined) throw new SandboxError(404, `there is no account ${id}`);
  return account;
}

function findToken({ tokens }: Account, id: string): BillingToken {
  const token = tokens.find((candidate) => candidate.id === id && !candidate.deleted);
  if (token === undefined) throw new SandboxError(404, `the account has no token ${id}`);
  return token;
}

/** ms since the epoch; a SandboxError (400) for a time at which the token could not have been used. */
function usableTime({ created }: BillingToken, text: string, now: number): number {
  const at = Date.parse(text);
  if (!(at >= created && at <= now))
    throw new SandboxError(400, 'lastUsedAt must be between the creation of the token and now');
  return at;
}

/** The accounts at a glance, without any secret. */
export function renderAccountStates({ ledger }: Office): object[] {
  return ledger.accounts.map((account) => ({
    id: account.id,
    accountId: account.accountId,
    fullName: account.fullName,
    enabled: account.enabled,
    tou: account.tou,
    orgQuota: account.orgQuota,
    paymentMethods: account.paymentMethods,
    orgs: [...account.orgs.values()].map(({ name, active }) => ({ name, active })),
    users: [...account.users.values()].map(({ email, roles }) => ({ email, roles })),
    tokens: account.tokens
      .filter(({ deleted }) => !deleted)
      .map(({ id, name, roles }) => ({ id, name, roles })),
    recipients: account.recipients,
    ...(account.alert === undefined ? {} : { alert: renderAlert(account, account.alert) }),
  }));
}
