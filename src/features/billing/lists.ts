import { compareNames } from '../../lib/text.ts';
import type { Org } from '../../platform/billing/orgs.ts';
import { quotaOf } from '../../platform/billing/quotas.ts';
import type { Quota, QuotaRecord } from '../../platform/billing/quotas.ts';
import type { Recipient } from '../../platform/billing/recipients.ts';
import { allRolesOf } from '../../platform/billing/roles.ts';
import type { BillingToken } from '../../platform/billing/tokens.ts';
import type { BillingUser } from '../../platform/billing/users.ts';
import { code, mrkdwn } from '../../slack/kit/index.ts';
import type { Column } from '../../slack/kit/index.ts';
import type { Answer } from '../../slack/routes.ts';
import { NOTHING } from '../invoices/words.ts';
import { listAnswer, noneYet } from './list-view.ts';
import type { ListContext } from './list-view.ts';
import { dayOf, named, NOT_SAID, roughly, rolesInWords, said } from './words.ts';

/** Who pays for an org, by its name; undefined where nobody could say. */
export type Payers = ReadonlyMap<string, string | undefined>;

/** A token that expires within this time is marked, in milliseconds. */
const SOON_MS = 14 * 86_400_000;
/** A table of Slack's has at most 20 columns. */
const MAX_COLUMNS = 20;

/** What `/billing orgs` answers (spec 2.3). `payers`: absent without a user token. Pure. */
export function orgsAnswer(
  view: ListContext & { orgs: readonly Org[]; payers: Payers | undefined },
): Answer {
  const { orgs, payers } = view;
  const unknown = [...(payers?.values() ?? [])].filter((payer) => payer === undefined).length;
  return listAnswer({
    ...view,
    rows: orgs,
    thing: 'org',
    none: noneYet('The account has no orgs', '/billing orgs create'),
    columns: [
      { title: 'Name' },
      { title: 'Created' },
      { title: 'Account' },
      ...(payers === undefined ? [] : [{ title: 'Paid by' }]),
    ],
    cells: ({ name, created, accountId }) => [
      named(name),
      dayOf(created),
      said(accountId, 60),
      ...(payers === undefined ? [] : [named(payers.get(name) ?? 'not known')]),
    ],
    notes: unknown === 0 ? [] : [mrkdwn`⚠ Who pays could not be read for ${unknown} of them`],
    needs: 'billing',
  });
}

/** What `/billing users` answers (spec 2.9). Pure. */
export function usersAnswer(view: ListContext & { users: readonly BillingUser[] }): Answer {
  return listAnswer({
    ...view,
    rows: view.users.toSorted((a, b) => compareNames(a.email, b.email)),
    thing: 'billing user',
    none: noneYet('The account has no billing users', '/billing users add'),
    columns: [{ title: 'E-mail' }, { title: 'Roles' }],
    cells: (user) => [named(user.email), rolesInWords(allRolesOf(user))],
    needs: 'billing',
  });
}

/** What `/billing tokens` answers (spec 2.5). Pure. */
export function tokensAnswer(view: ListContext & { tokens: readonly BillingToken[] }): Answer {
  const { now } = view;
  return listAnswer({
    ...view,
    rows: view.tokens.toSorted((a, b) => compareNames(a.name, b.name)),
    thing: 'token',
    none: noneYet('The account has no tokens', '/billing tokens create'),
    columns: TOKEN_COLUMNS,
    cells: (token) => [
      named(token.name),
      token.description.trim() === '' ? NOTHING : said(token.description),
      rolesInWords(allRolesOf(token)),
      expiryOf(token.expiresAt, now),
      lastUseOf(token.lastUsedAt, now),
      named(token.createdBy, 100),
      dayOf(token.created),
      dayOf(token.lastModified),
      said(token.id, 60),
    ],
    notes: [
      mrkdwn`Secrets are shown once, when a token is created; one that was deleted may work for 5 more minutes`,
    ],
    needs: 'billing_admin',
  });
}

const TOKEN_COLUMNS: readonly Column[] = [
  'Name',
  'Description',
  'Roles',
  'Expires',
  'Last used (approx.)',
  'Created by',
  'Created',
  'Modified',
  'Id',
].map((title) => ({ title }));

function expiryOf(expiresAt: number | undefined, now: number): string {
  if (expiresAt === undefined) return 'never';
  const day = dayOf(expiresAt);
  if (expiresAt <= now) return `✗ expired ${day}`;
  return expiresAt - now <= SOON_MS ? `⚠ ${day}, in ${roughly(expiresAt - now)}` : day;
}

function lastUseOf(lastUsedAt: number | undefined, now: number): string {
  if (lastUsedAt === undefined) return NOT_SAID;
  return `about ${roughly(now - lastUsedAt)} ago`;
}

/** What `/billing recipients` answers (spec 2.10). Pure. */
export function recipientsAnswer(view: ListContext & { recipients: readonly Recipient[] }): Answer {
  return listAnswer({
    ...view,
    rows: view.recipients.toSorted((a, b) => compareNames(a.email, b.email)),
    thing: 'recipient',
    of: mrkdwn` of invoice e-mails`,
    none: noneYet('Nobody gets the invoices by e-mail', '/billing recipients add'),
    columns: [{ title: 'E-mail' }, { title: 'Enabled' }, { title: 'Id' }],
    cells: ({ email, enabled, id }) => [named(email), enabledInWords(enabled), said(id, 60)],
    notes: [mrkdwn`What became of the e-mails shows ${code('/invoices deliveries')}`],
    needs: 'billing_admin',
  });
}

function enabledInWords(enabled: boolean | undefined): string {
  if (enabled === undefined) return NOT_SAID;
  return enabled ? '✓ yes' : '✗ no';
}

/** What `/billing quotas` answers: what is known of quotas, then whatever other fields come (spec 2.17). Pure. */
export function quotasAnswer(
  view: ListContext & { quotas: readonly QuotaRecord[]; org: string },
): Answer {
  const { quotas: records, org } = view;
  const quotas = records.map(quotaOf);
  const fields = fieldsOf(quotas);
  const shown = fields.slice(0, MAX_COLUMNS);
  return listAnswer({
    ...view,
    rows: quotas,
    thing: 'quota',
    of: mrkdwn` of org ${code(org)}`,
    none: mrkdwn`The platform names no quotas of org ${code(org)}.`,
    columns: shown.map((field) => columnOf(field, quotas)),
    cells: (quota) => shown.map(({ of }) => said(of(quota) ?? NOTHING)),
    notes:
      fields.length > shown.length
        ? [mrkdwn`There is no room for ${fields.length - shown.length} more fields`]
        : [],
    needs: 'orgs',
  });
}

interface QuotaField {
  readonly title: string;
  readonly of: (quota: Quota) => string | undefined;
}

const QUOTA_FIELDS: readonly QuotaField[] = [
  { title: 'Quota', of: ({ name }) => name },
  { title: 'In use', of: ({ current }) => current },
  { title: 'Maximum', of: ({ max }) => max },
  { title: 'Unit', of: ({ unit }) => unit },
  { title: 'Description', of: ({ description }) => description },
];

/** The fields that any of them has: first those that are known, then the others by their own names. */
function fieldsOf(quotas: readonly Quota[]): QuotaField[] {
  const names = new Set(quotas.flatMap(({ others }) => others.map(([name]) => name)));
  const others = [...names].map((title) => ({
    title,
    of: (quota: Quota) => quota.others.find(([name]) => name === title)?.[1],
  }));
  const known = QUOTA_FIELDS.filter(({ of }) => quotas.some((quota) => of(quota) !== undefined));
  return [...known, ...others];
}

/** Numbers stand at the right. */
function columnOf({ title, of }: QuotaField, quotas: readonly Quota[]): Column {
  const values = quotas.flatMap((quota) => of(quota) ?? []);
  const isOfNumbers = values.every((value) => /^-?\d+(?:\.\d+)?$/.test(value));
  return { title, align: isOfNumbers ? 'right' : 'left' };
}
