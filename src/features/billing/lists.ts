import type { Button } from '@slack/types';
import { orgRight } from '../../access/policy.ts';
import { lookalike, revealed } from '../../lib/lookalikes.ts';
import { compareNames, plural, truncate } from '../../lib/text.ts';
import { DAY_MS, HOUR_MS } from '../../lib/time.ts';
import { type Org, type Quota, quotaOf, type QuotaRecord } from '../../platform/billing/orgs.ts';
import type { Recipient } from '../../platform/billing/recipients.ts';
import type { Given } from '../../changes/forms/fields.ts';
import { allRolesOf } from '../../platform/billing/roles.ts';
import type { BillingUser } from '../../platform/billing/users.ts';
import type { BillingToken } from '../../platform/billing/tokens.ts';
import { describeDay } from '../../reporting/range.ts';
import { section } from '../../slack/kit/blocks.ts';
import { firstOf } from '../../slack/kit/fit.ts';
import { type Cell, Numeric } from '../../slack/kit/tables.ts';
import { code, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { lineSections, NOTHING, pagedAnswer, type ReadPage } from '../answer-parts.ts';
import type { ListColumn } from '../list.ts';

/** An absent field is unknown, never false. */
export const NOT_SAID = 'not reported';

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

/** A reading of a list, for one page. */
export interface Items<T> extends ReadPage {
  readonly items: readonly T[];
  readonly asks: Asks;
}

/** Requests for a change, below the list and in its rows; none without the role. */
export interface Asks {
  readonly buttons: readonly Button[];
  readonly row?: (given: Given) => Button;
}

interface ListView<T> extends Omit<Items<T>, 'items'> {
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
  readonly columns: readonly ListColumn<T>[];
  /** Initial values of the form of a row's request. */
  readonly given?: (row: T) => Given;
  /** Rarely needed fields (ids, dates) in a window, each row with its name. */
  readonly details?: (row: T) => readonly (readonly [label: string, text: string])[];
  readonly notes?: readonly Mrkdwn[];
  readonly needs: string;
}

function listAnswer<T>(view: ListView<T>): Answer {
  const { rows, thing, things = `${thing}s`, of = mrkdwn``, asks, needs, given } = view;
  const unread = mrkdwn`The ${things}${of} cannot be read: please try again.`;
  const count = mrkdwn`*${rows.length.toLocaleString('en-US')} ${rows.length === 1 ? thing : things}*${of}`;
  const none = view.skipped > 0 ? unread : view.none;
  const { row: rowButton } = asks;
  return {
    ...pagedAnswer<T>(view, {
      ...view,
      head: rows.length > 0 ? (view.state ?? count) : none,
      caption: `${things[0]?.toUpperCase()}${things.slice(1)}${of.text.replaceAll('`', '')}`,
      step: rowButton && given && ((row) => rowButton(given(row))),
      remarks: view.notes ?? [],
    }),
    // A request that each row has needs no button below.
    buttons: asks.buttons.filter(
      ({ action_id: action }) => rows.length === 0 || action !== rowButton?.({}).action_id,
    ),
    ...detailsOf(view, count),
    needs,
  };
}

function detailsOf<T>({ rows, columns, details }: ListView<T>, head: Mrkdwn): Pick<Answer, 'rest'> {
  if (details === undefined || rows.length === 0) return {};
  const lines = rows.map((row) => {
    const name = columns[0]?.of(row);
    const texts = details(row).map(([label, text]) => `${label}: ${text}`);
    return mrkdwn`• *${typeof name === 'string' ? name : NOTHING}* · ${texts.join(' · ')}`;
  });
  return {
    rest: { button: 'Details', title: 'Details', blocks: [section(head), ...lineSections(lines)] },
  };
}

/** "The account has no orgs: `/billing orgs create` asks for one." */
function noneYet(what: string, command: string): Mrkdwn {
  return mrkdwn`${what}: ${code(command)} asks for one.`;
}

/** Payers by the name of the org; undefined: could not be read. */
export type Payers = ReadonlyMap<string, string | undefined>;

/** A token that expires sooner is marked, in ms. */
const SOON_MS = 14 * DAY_MS;
/** Slack takes 20, the one of the buttons among them. */
const MAX_COLUMNS = 19;

/**
 * The answer to `/billing orgs` (spec 2.3). Pure.
 * @param view `payers`: undefined when they were not asked for
 */
export function orgsAnswer(
  view: Items<Org> & { payers: Payers | undefined; note?: Mrkdwn | undefined },
): Answer {
  const { payers } = view;
  const unknown = [...(payers?.values() ?? [])].filter((payer) => payer === undefined).length;
  return listAnswer({
    ...view,
    rows: view.items.toSorted((a, b) => compareNames(a.name, b.name)),
    thing: 'org',
    none: noneYet('The account has no orgs', '/billing orgs create'),
    columns: [
      { title: 'Name', of: ({ name }) => named(name) },
      { title: 'Created', of: ({ created }) => dayOf(created) },
      ...(payers === undefined
        ? []
        : [{ title: 'Paid by', of: ({ name }: Org) => named(payers.get(name) ?? NOT_SAID) }]),
    ],
    details: ({ accountId }) => [
      ['Customer id at the payment processor', visibleText(accountId, 60)],
    ],
    notes: [
      ...(view.note === undefined ? [] : [view.note]),
      ...(unknown === 0
        ? []
        : [mrkdwn`⚠ Who pays could not be read for ${plural(unknown, 'org')}`]),
    ],
    needs: 'billing',
  });
}

export function usersAnswer(view: Items<BillingUser>): Answer {
  return listAnswer({
    ...view,
    rows: view.items.toSorted((a, b) => compareNames(a.email, b.email)),
    thing: 'billing user',
    none: noneYet('The account has no billing users', '/billing users add'),
    columns: [
      { title: 'E-mail', of: ({ email }) => named(email) },
      { title: 'Roles', of: (user) => rolesInWords(allRolesOf(user)) },
    ],
    given: ({ email }) => ({ email }),
    needs: 'billing',
  });
}

export function tokensAnswer(view: Items<BillingToken>): Answer {
  const { now } = view;
  return listAnswer({
    ...view,
    rows: view.items.toSorted((a, b) => compareNames(a.name, b.name)),
    thing: 'token',
    none: noneYet('The account has no tokens', '/billing tokens create'),
    columns: [
      { title: 'Name', of: ({ name }) => named(name) },
      { title: 'Expires', of: ({ expiresAt }) => expiryOf(expiresAt, now) },
      { title: 'Last used', of: ({ lastUsedAt }) => lastUseOf(lastUsedAt, now) },
      { title: 'Roles', of: (token) => rolesInWords(allRolesOf(token)) },
      {
        title: 'Description',
        of: ({ description }) => (description.trim() === '' ? NOTHING : visibleText(description)),
      },
    ],
    given: ({ id, name }) => ({ id, name }),
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

function expiryOf(expiresAt: number | undefined, now: number): string {
  if (expiresAt === undefined) return 'never';
  const day = dayOf(expiresAt);
  if (expiresAt <= now) return `✗ ${day} (expired)`;
  return expiresAt - now <= SOON_MS ? `⚠ ${day}, in ${roughly(expiresAt - now)}` : day;
}

function lastUseOf(lastUsedAt: number | undefined, now: number): string {
  if (lastUsedAt === undefined) return NOT_SAID;
  return `about ${roughly(now - lastUsedAt)} ago`;
}

export function recipientsAnswer(view: Items<Recipient>): Answer {
  return listAnswer({
    ...view,
    rows: view.items.toSorted((a, b) => compareNames(a.email, b.email)),
    thing: 'recipient',
    of: mrkdwn` of invoice e-mails`,
    state: recipientsState(view.items),
    none: noneYet('No one gets the invoices by e-mail', '/billing recipients add'),
    columns: [
      { title: 'E-mail', of: ({ email }) => named(email) },
      { title: 'Enabled', of: ({ enabled }) => enabledInWords(enabled) },
    ],
    given: ({ id, email }) => ({ id, email }),
    details: ({ id }) => [['id', visibleText(id, 60)]],
    notes: [mrkdwn`${code('/invoices deliveries')} shows what became of the e-mails`],
    needs: 'billing_admin',
  });
}

/** "*1 of 3 recipients* gets the invoices (1 off, 1 not reported)"; undefined if all do. */
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

/** The answer to `/billing quotas`: the fullest first, the known fields, then all others (spec 2.17). Pure. */
export function quotasAnswer(view: Items<QuotaRecord> & { org: string }): Answer {
  const { items, org } = view;
  const quotas = items.map(quotaOf).toSorted((a, b) => useOf(b) - useOf(a));
  const fields = fieldsOf(quotas);
  return listAnswer({
    ...view,
    rows: quotas,
    thing: 'quota',
    of: mrkdwn` of org ${code(org)}`,
    state: quotasState(quotas, org),
    none: mrkdwn`The platform names no quotas of org ${code(org)}.`,
    columns: fields.slice(0, MAX_COLUMNS),
    ...(fields.length > MAX_COLUMNS && { details: detailsOfFields(fields) }),
    given: ({ name = '' }) => ({ name, org }),
    needs: orgRight(org),
  });
}

/** Of the maximum, 1 when it is used up. */
function useOf({ current, max }: Quota): number {
  return Number(max) > 0 ? Number(current) / Number(max) || 0 : 0;
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

const QUOTA_FIELDS: readonly ListColumn<Quota>[] = [
  { title: 'Quota', of: (quota) => `${useOf(quota) >= 1 ? '🟠 ' : ''}${shownField(quota.name)}` },
  { title: 'In use', of: ({ current }) => figure(current) },
  { title: 'Maximum', of: ({ max }) => figure(max) },
  { title: 'Unit', of: ({ unit }) => shownField(unit) },
  { title: 'Description', of: ({ description }) => shownField(description) },
];

/** The fields that any quota has: known ones first, then the others by their own names. */
function fieldsOf(quotas: readonly Quota[]): ListColumn<Quota>[] {
  const names = new Set(quotas.flatMap(({ others }) => others.map(([name]) => name)));
  const others = [...names].map((title) => ({
    title,
    of: (quota: Quota) => figure(quota.others.find(([name]) => name === title)?.[1]),
  }));
  const isStated = ({ of }: ListColumn<Quota>) => quotas.some((quota) => of(quota) !== NOTHING);
  return [...QUOTA_FIELDS.filter(isStated), ...others];
}

function detailsOfFields(fields: readonly ListColumn<Quota>[]) {
  return (quota: Quota) =>
    fields.map(({ title, of }): readonly [string, string] => {
      const cell = of(quota);
      return [title, typeof cell === 'string' ? cell : 'text' in cell ? cell.text : NOTHING];
    });
}

function shownField(text: string | undefined): string {
  return visibleText(text ?? NOTHING);
}

function figure(text: string | undefined): Cell {
  const isNumber = text !== undefined && /^-?\d{1,15}(?:\.\d+)?$/.test(text);
  return isNumber ? new Numeric(Number(text), text) : shownField(text);
}
