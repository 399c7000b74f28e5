import type { Button } from '@slack/types';
import { orgRight } from '../../access/policy.ts';
import { compareNames, firstOf, lookalike, plural, revealed, truncate } from '../../lib/text.ts';
import { DAY_MS, HOUR_MS } from '../../lib/time.ts';
import { type Org, type Quota, quotaOf, type QuotaRecord } from '../../platform/billing/orgs.ts';
import type { Recipient } from '../../platform/billing/recipients.ts';
import { allRolesOf } from '../../platform/billing/roles.ts';
import type { BillingUser } from '../../platform/billing/users.ts';
import type { BillingToken } from '../../platform/billing/tokens.ts';
import { describeDay } from '../../reporting/range.ts';
import { button, type Column, section, table, topText } from '../../slack/kit/blocks.ts';
import { code, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import {
  footnotes,
  screenReaderText,
  lineSections,
  NOTHING,
  type Page,
  pageNotes,
  pageOf,
  SHARING,
  smallPrint,
} from '../answer-parts.ts';

/** An absent field is unknown, never false. */
export const NOT_SAID = 'not said';

const STEPS = [
  { ms: DAY_MS, name: 'day' },
  { ms: HOUR_MS, name: 'hour' },
  { ms: 60_000, name: 'minute' },
] as const;

/** "5 November 2026" in UTC. `ms` since the epoch. */
export function dayOf(ms: number | undefined): string {
  return ms === undefined ? NOT_SAID : describeDay(ms);
}

/** "11 days", "1 hour", or "a minute" at least: one unit is precise enough. */
function roughly(ms: number): string {
  const step = STEPS.find((one) => ms >= one.ms);
  return step === undefined ? 'a minute' : plural(Math.floor(ms / step.ms), step.name);
}

/** Text from the platform in a cell or a line; invisible characters are written out. */
export function visibleText(text: string, max = 120): string {
  return truncate(revealed(text.trim()), max) || NOT_SAID;
}

/** A name or an e-mail address, with a warning about look-alike characters. */
export function named(name: string, max?: number): string {
  const hides = lookalike(name.trim());
  return hides === undefined ? visibleText(name, max) : `${visibleText(name, max)} ⚠ has ${hides}`;
}

/** "billing_admin, org_creator"; unknown roles are truncated. */
function rolesInWords(roles: readonly string[]): string {
  return roles.length === 0 ? 'none' : roles.map((role) => visibleText(role, 60)).join(', ');
}

export const PREVIOUS_ACTION = 'billing.previous';
export const NEXT_ACTION = 'billing.next';

export interface ListContext {
  /** From 0 on. */
  readonly page: number;
  readonly skipped: number;
  /** Ms since the epoch, as is `now`. */
  readonly readAt: number;
  readonly now: number;
  /** Id of the stored state; undefined: it could not be stored. */
  readonly kept: string | undefined;
  /** Buttons that request a change; empty without the role. */
  readonly asks: readonly Button[];
}

export interface ListView<T> extends ListContext {
  readonly rows: readonly T[];
  /** Singular: "token". `things` is the plural if an s is not enough. */
  readonly thing: string;
  readonly things?: string;
  /** Follows the count: " of org acme". */
  readonly of?: Mrkdwn;
  /** Replaces the count if something is wrong: "*1 of 3 quotas is used up*: gvcs". */
  readonly state?: Mrkdwn | undefined;
  /** Advice for an empty list; a whole sentence. */
  readonly none: Mrkdwn;
  readonly columns: readonly Column[];
  readonly cells: (row: T) => readonly string[];
  /** Rarely needed fields (ids, dates) in a window, each row with its name. */
  readonly details?: (row: T) => readonly (readonly [label: string, text: string])[];
  readonly more?: string;
  readonly notes?: readonly Mrkdwn[];
  readonly needs: string;
}

function listAnswer<T>(view: ListView<T>): Answer {
  const { rows, thing, things, of = mrkdwn``, kept, asks, needs, skipped } = view;
  const page = pageOf(rows, view.page);
  const unread = mrkdwn`The ${things ?? `${thing}s`}${of} cannot be read: please try again.`;
  const count = mrkdwn`*${rows.length.toLocaleString('en-US')} ${rows.length === 1 ? thing : (things ?? `${thing}s`)}*${of}`;
  const none = skipped > 0 ? unread : view.none;
  const head = rows.length > 0 ? (view.state ?? count) : none;
  const turns = turnButtons(page, kept);
  return {
    text: topText(
      screenReaderText(
        head,
        rows.map((row) => screenReaderRow(view, row)),
      ),
    ),
    blocks: [
      section(head),
      ...(rows.length === 0 ? [] : [table(view.columns, page.rows.map(view.cells))]),
      ...smallPrint([
        ...(rows.length === 0 ? [] : pageNotes(page, kept)),
        ...(view.notes ?? []),
        ...footnotes({ ...view, thing, ...(things === undefined ? {} : { things }) }),
      ]),
    ],
    controls: turns.length > 0 ? [turns] : [],
    buttons: [...asks],
    ...detailsOf(view, count),
    ...SHARING,
    needs,
  };
}

function screenReaderRow<T>({ columns, cells }: ListView<T>, row: T): Mrkdwn {
  const [name = '', ...others] = cells(row);
  const texts = others.map((text, at) => `${columns[at + 1]?.title.toLowerCase()} ${text}`);
  return mrkdwn`${name}: ${texts.join(', ')}`;
}

function detailsOf<T>(view: ListView<T>, head: Mrkdwn): Pick<Answer, 'rest'> {
  const { rows, cells, details, more = 'Ids and dates' } = view;
  if (details === undefined || rows.length === 0) return {};
  const lines = rows.map((row) => {
    const [name = ''] = cells(row);
    const texts = details(row).map(([label, text]) => `${label}: ${text}`);
    return mrkdwn`• *${name}* · ${texts.join(' · ')}`;
  });
  return { rest: { button: more, title: more, blocks: [section(head), ...lineSections(lines)] } };
}

/** "The account has no orgs: `/billing orgs create` asks for one." */
function noneYet(what: string, command: string): Mrkdwn {
  return mrkdwn`${what}: ${code(command)} asks for one.`;
}

function turnButtons({ page, pages }: Page<unknown>, kept: string | undefined): Button[] {
  if (kept === undefined) return [];
  const turn = (action: string, text: string) => button({ action, text, value: kept });
  return [
    ...(page > 0 ? [turn(PREVIOUS_ACTION, 'Previous')] : []),
    ...(page < pages - 1 ? [turn(NEXT_ACTION, 'Next')] : []),
  ];
}

/** Payers by the name of the org; undefined: could not be read. */
export type Payers = ReadonlyMap<string, string | undefined>;

/** A token that expires sooner is marked, in ms. */
const SOON_MS = 14 * DAY_MS;
/** More do not fit in a narrow window. */
const MAX_COLUMNS = 6;

/** The answer to `/billing orgs` (spec 2.3). `payers`: undefined without a user token. Pure. */
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
      ...(payers === undefined ? [] : [{ title: 'Paid by' }]),
    ],
    cells: ({ name, created }) => [
      named(name),
      dayOf(created),
      ...(payers === undefined ? [] : [named(payers.get(name) ?? 'not known')]),
    ],
    details: ({ accountId }) => [
      ['Customer id at the payment processor', visibleText(accountId, 60)],
    ],
    more: 'Customer ids',
    notes: unknown === 0 ? [] : [mrkdwn`⚠ Who pays could not be read for ${unknown} of them`],
    needs: 'billing',
  });
}

/** The answer to `/billing users` (spec 2.9). Pure. */
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

/** The answer to `/billing tokens` (spec 2.5). Pure. */
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
      expiryOf(token.expiresAt, now),
      lastUseOf(token.lastUsedAt, now),
      rolesInWords(allRolesOf(token)),
      token.description.trim() === '' ? NOTHING : visibleText(token.description),
    ],
    details: (token) => [
      ['created by', named(token.createdBy, 100)],
      ['created', dayOf(token.created)],
      ['modified', dayOf(token.lastModified)],
      ['id', visibleText(token.id, 60)],
    ],
    notes: [
      mrkdwn`Secrets are shown once, when a token is created; one that was deleted may work for 5 more minutes`,
    ],
    needs: 'billing_admin',
  });
}

const TOKEN_COLUMNS: readonly Column[] = [
  'Name',
  'Expires',
  'Last used',
  'Roles',
  'Description',
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

/** The answer to `/billing recipients` (spec 2.10). Pure. */
export function recipientsAnswer(view: ListContext & { recipients: readonly Recipient[] }): Answer {
  return listAnswer({
    ...view,
    rows: view.recipients.toSorted((a, b) => compareNames(a.email, b.email)),
    thing: 'recipient',
    of: mrkdwn` of invoice e-mails`,
    state: recipientsState(view.recipients),
    none: noneYet('Nobody gets the invoices by e-mail', '/billing recipients add'),
    columns: [{ title: 'E-mail' }, { title: 'Enabled' }],
    cells: ({ email, enabled }) => [named(email), enabledInWords(enabled)],
    details: ({ id }) => [['id', visibleText(id, 60)]],
    more: 'Ids',
    notes: [mrkdwn`${code('/invoices deliveries')} shows what became of the e-mails`],
    needs: 'billing_admin',
  });
}

/** "*1 of 3 recipients* gets the invoices (1 off, 1 not said)"; undefined if all do. */
function recipientsState(recipients: readonly Recipient[]): Mrkdwn | undefined {
  const count = (state: boolean | undefined) =>
    recipients.filter(({ enabled }) => enabled === state).length;
  const [on, off, unknown] = [count(true), count(false), count(undefined)];
  if (off + unknown === 0) return undefined;
  const others = [
    ...(off > 0 ? [`${off} off`] : []),
    ...(unknown > 0 ? [`${unknown} ${NOT_SAID}`] : []),
  ].join(', ');
  const all = plural(recipients.length, 'recipient');
  return mrkdwn`*${on} of ${all}* ${on === 1 ? 'gets' : 'get'} the invoices (${others})`;
}

function enabledInWords(enabled: boolean | undefined): string {
  if (enabled === undefined) return NOT_SAID;
  return enabled ? '✓ yes' : '✗ no';
}

/** The answer to `/billing quotas`: the known fields, then all others (spec 2.17). Pure. */
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
    state: quotasState(quotas, org),
    none: mrkdwn`The platform names no quotas of org ${code(org)}.`,
    columns: shown.map((field) => columnOf(field, quotas)),
    cells: (quota) => shown.map(({ of }) => visibleText(of(quota) ?? NOTHING)),
    ...(fields.length > shown.length && {
      details: (quota: Quota) =>
        fields.map(({ title, of }) => [title, visibleText(of(quota) ?? NOTHING)]),
      more: `All ${fields.length} fields`,
    }),
    needs: orgRight(org),
  });
}

/** "*1 of 3 quotas is used up* · org `acme`: gvcs, 10 of 10"; undefined if none is. */
function quotasState(quotas: readonly Quota[], org: string): Mrkdwn | undefined {
  const full = quotas.filter(
    ({ current, max }) => Number(max) > 0 && Number(current) >= Number(max),
  );
  if (full.length === 0) return undefined;
  const names = full.map(
    ({ name, current, max }) => `${visibleText(name ?? '', 40)}, ${current} of ${max}`,
  );
  const all = plural(quotas.length, 'quota');
  return mrkdwn`*${full.length} of ${all} ${full.length === 1 ? 'is' : 'are'} used up* · org ${code(org)}: ${firstOf(names, 5, { before: ', ' })}`;
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

/** The fields that any quota has: known ones first, then the others by their own names. */
function fieldsOf(quotas: readonly Quota[]): QuotaField[] {
  const names = new Set(quotas.flatMap(({ others }) => others.map(([name]) => name)));
  const others = [...names].map((title) => ({
    title,
    of: (quota: Quota) => quota.others.find(([name]) => name === title)?.[1],
  }));
  const known = QUOTA_FIELDS.filter(({ of }) => quotas.some((quota) => of(quota) !== undefined));
  return [...known, ...others];
}

function columnOf({ title, of }: QuotaField, quotas: readonly Quota[]): Column {
  const values = quotas.flatMap((quota) => of(quota) ?? []);
  const isOfNumbers = values.every((value) => /^-?\d+(?:\.\d+)?$/.test(value));
  return { title, align: isOfNumbers ? 'right' : 'left' };
}
