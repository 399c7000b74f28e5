import type { Account, Card } from '../../../../src/platform/billing/account.ts';
import type { Alert } from '../../../../src/platform/billing/alert.ts';
import type { BillingUser } from '../../../../src/platform/billing/users.ts';
import type { HeldRoles } from '../../../../src/platform/billing/roles.ts';
import type { Org, OrgCreation, QuotaRecord } from '../../../../src/platform/billing/orgs.ts';
import type { Delivery, Recipient } from '../../../../src/platform/billing/recipients.ts';
import type { BillingToken, CreatedToken } from '../../../../src/platform/billing/tokens.ts';
import { ADDED_USER, NEW_ORG } from './calls.ts';
import {
  areRoles,
  isId,
  isNumber,
  isSame,
  isSameOrHidden,
  isText,
  isTime,
  isWritten,
  member,
  membersOf,
  rowsOf,
  UNREADABLE,
} from './sent.ts';

/** What is shown of accounts and their people, held against what was said (spec 2.2 to 2.10). */

/** A record may stand bare or in a member that is named after it. */
export function bareOrIn<Shown>(
  name: string,
  isOf: (shown: Shown, said: unknown) => boolean,
): (shown: Shown, said: unknown) => boolean {
  return (shown, said) => isOf(shown, said) || isOf(shown, member(said, name));
}

/** An alert, bare or wrapped; none only where nothing is said to be there. */
export function isOnlyAlert(shown: Alert | undefined, said: unknown): boolean {
  const places = [said, ...insideOf(said, 3)];
  if (shown === undefined) {
    return places.some((one) => (one ?? null) === null || (Array.isArray(one) && one.length === 0));
  }
  return places.some((one) => isAlert(shown, one));
}

function isAlert(shown: Alert, said: unknown): boolean {
  const times = ['created', 'lastModified'] as const;
  const fired = member(said, 'alertedTimes');
  const firings = [member(said, 'lastTriggered'), fired];
  return (
    isSameOrHidden(shown.amount, member(said, 'amount')) &&
    shown.amount?.isNegative() !== true &&
    isSwitch(shown, member(said, 'enabled') ?? undefined) &&
    times.every((name) => isTime(shown[name], member(said, name))) &&
    firings.flat().some((one) => isMoment(shown.lastTriggered, one)) &&
    (shown.hasFired === undefined || firings.some((one) => (one ?? null) !== null)) &&
    (Array.isArray(fired)
      ? shown.alertedTimes === fired.length
      : isSameOrHidden(shown.alertedTimes, fired))
  );
}

export function isAccount(shown: Account, said: unknown): boolean {
  const tou = member(said, 'tou');
  const lines = [member(said, 'address'), ...insideOf(member(said, 'address'), 3)];
  return (
    shown.id !== '' &&
    (['id', 'accountId'] as const).every((name) => isId(shown[name], member(said, name))) &&
    (['fullName', 'email'] as const).every((name) => isText(shown[name], member(said, name))) &&
    isSameOrHidden(shown.orgQuota, member(said, 'orgQuota')) &&
    isFlagOrHidden(shown.enabled, member(said, 'enabled')) &&
    isFlagOrHidden(shown.tou, member(tou, 'accepted') ?? tou) &&
    shown.address.every((line) => lines.some((one) => line === one || isWritten(line, one))) &&
    areCards(shown.paymentMethods ?? [], member(said, 'paymentMethods')) &&
    isOnlyAlert(shown.alert, member(said, 'alert'))
  );
}

/** An answer with one account: bare, or a list of one. */
export function isOnlyAccount(shown: Account, said: unknown): boolean {
  const rows = rowsOf(said, 'items') ?? [];
  const isOf = bareOrIn('account', isAccount);
  return isOf(shown, said) || (rows.length === 1 && isOf(shown, rows[0]));
}

/** A time as text, or in ms since the epoch. */
function isMoment(shown: number | undefined, said: unknown): boolean {
  return isTime(shown, said) || isSame(shown, said);
}

/** Off where nothing is said beside an amount. */
function isSwitch({ amount, enabled }: Alert, said: unknown): boolean {
  return said === undefined && amount ? enabled === false : isFlagOrHidden(enabled, said);
}

/** Consent that was not said in so many words is not given. */
function isFlagOrHidden(shown: boolean | undefined, said: unknown): boolean {
  return shown === (typeof said === 'boolean' ? said : undefined);
}

/** Brand and number of each card stand side by side; zeros in front of a number may be missing. */
function areCards(shown: readonly Card[], said: unknown): boolean {
  const isCard = ({ brand, last4 }: Card, sent: unknown) =>
    isText(brand, member(sent, 'brand')) &&
    (isText(last4, member(sent, 'last4')) || isWritten(last4, member(sent, 'last4')));
  const places = [said, ...insideOf(said, 3)];
  return shown.every((card) => places.some((place) => isCard(card, place)));
}

/** Whatever lies in a value, `depth` levels down. */
function insideOf(value: unknown, depth: number): unknown[] {
  const members = Array.isArray(value) ? value : membersOf(value).map(([, one]) => one);
  return depth === 0 ? [] : members.flatMap((one) => [one, ...insideOf(one, depth - 1)]);
}

export function isToken(shown: BillingToken, said: unknown): boolean {
  const times = ['created', 'lastModified', 'lastUsedAt'] as const;
  const end = member(said, 'expiresAt') || undefined;
  return (
    shown.id !== '' &&
    isId(shown.id, member(said, 'id')) &&
    (['name', 'description', 'createdBy'] as const).every((name) =>
      isText(shown[name], member(said, name)),
    ) &&
    areHeld(shown, member(said, 'roles')) &&
    times.every((name) => isTime(shown[name], member(said, name))) &&
    // An end that cannot be read is not "no end".
    (shown.expiresAt === undefined ? end === undefined : isTime(shown.expiresAt, end))
  );
}

/** The secret that was said, beside what else was said or else what was asked for. */
export function isCreatedToken({ secret, ...shown }: CreatedToken, said: unknown): boolean {
  const { id, name, roles } = shown;
  const isAsked =
    isId(id, member(said, 'id')) && name === 'ci' && roles.join() === 'billing_viewer';
  const token = member(said, 'token');
  return (
    [token, ...insideOf(token, 1)].includes(secret.reveal()) && (isToken(shown, said) || isAsked)
  );
}

export function isOrg(shown: Org, said: unknown): boolean {
  return (
    shown.name !== '' &&
    shown.name === member(said, 'name') &&
    isId(shown.accountId, member(said, 'accountId')) &&
    isTime(shown.created, member(said, 'created'))
  );
}

/** The org that was asked for and no other, with a key that was said. */
export function isOrgCreation(shown: OrgCreation, said: unknown): boolean {
  const places = [said, member(said, 'org')];
  const names = places.map((place) => member(place, 'name')).filter((name) => name !== undefined);
  const keys = places.map((place) => member(place, 'superuserServiceAccountToken'));
  const key = shown.superuserServiceAccountToken?.reveal();
  const isNamed = names.length === 0 || names.some((name) => name === NEW_ORG || name === null);
  const isKey = key === undefined || insideOf(keys, 2).includes(key);
  return said !== UNREADABLE && shown.name === NEW_ORG && isNamed && shown.created && isKey;
}

/** Roles that count are said in so many words; whatever else is said is shown beside them. */
function areHeld({ roles, otherRoles = [] }: HeldRoles, said: unknown): boolean {
  const words = [...roles, ...otherRoles];
  const texts = Array.isArray(said) ? said.filter((role) => typeof role === 'string') : [];
  return areRoles(roles, said) && texts.every((role) => role === '' || words.includes(role));
}

export function isUser(shown: BillingUser, said: unknown): boolean {
  return shown.email === member(said, 'email') && areHeld(shown, member(said, 'roles'));
}

/** The one that was asked for: a record, which need not say so, or one in a list; nobody only where a list has no such one. */
export function isAskedUser(shown: BillingUser | undefined, said: unknown): boolean {
  const rows = rowsOf(said, 'items', 'users');
  if (shown === undefined) return rows !== undefined;
  const isUnnamed = (user: BillingUser, record: unknown) =>
    (member(record, 'email') ?? null) === null && areHeld(user, member(record, 'roles'));
  return (
    shown.email.toLowerCase() === ADDED_USER &&
    (bareOrIn('user', isUnnamed)(shown, said) ||
      [said, ...(rows ?? [])].some((one) => bareOrIn('user', isUser)(shown, one)))
  );
}

export function isRecipient(shown: Recipient, said: unknown): boolean {
  return (
    isId(shown.id, member(said, 'id')) &&
    shown.email === member(said, 'email') &&
    isFlagOrHidden(shown.enabled, member(said, 'enabled'))
  );
}

export function isDelivery(shown: Delivery, said: unknown): boolean {
  const messages = member(said, 'errorMessages');
  return (
    shown.recipientEmail === member(said, 'recipientEmail') &&
    shown.status === member(said, 'status') &&
    isId(shown.invoiceId, member(said, 'invoiceId')) &&
    isSameOrHidden(shown.attemptCount, member(said, 'attemptCount')) &&
    shown.errorMessages.every((one) => [messages].flat().includes(one))
  );
}

/** Every field was said under its name, one level deep at most. */
export function isQuotaRecord(shown: QuotaRecord, said: unknown): boolean {
  const fields = membersOf(said).flatMap(([name, value]): [string, unknown][] => [
    [name, value],
    ...(Array.isArray(value) ? [...value.entries()] : membersOf(value)).map(
      ([inner, one]): [string, unknown] => [`${name}.${inner}`, one],
    ),
  ]);
  const isSaid = (shown: string, value: unknown) =>
    isNumber(value)
      ? isWritten(shown, value)
      : (typeof value === 'string' || typeof value === 'boolean') && shown === `${value}`;
  return (
    said !== UNREADABLE &&
    [...shown].every(([name, text]) =>
      fields.some(([field, value]) => field === name && isSaid(text, value)),
    )
  );
}
