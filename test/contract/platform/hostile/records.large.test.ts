import type { Account } from '../../../../src/platform/billing/account.ts';
import type { Alert } from '../../../../src/platform/billing/alert.ts';
import type { BillingClient } from '../../../../src/platform/billing/client.ts';
import type { Org, QuotaRecord } from '../../../../src/platform/billing/orgs.ts';
import type { Delivery, Recipient } from '../../../../src/platform/billing/recipients.ts';
import type { HeldRoles } from '../../../../src/platform/billing/roles.ts';
import type { BillingUser } from '../../../../src/platform/billing/users.ts';
import type { BillingToken, CreatedToken } from '../../../../src/platform/billing/tokens.ts';
import { ADDED_USER, NEW_ORG } from '../calls.ts';
import {
  all,
  areTexts,
  bareOrIn,
  insideOf,
  is,
  isId,
  isSame,
  isSameOrHidden,
  isSilent,
  isText,
  isTime,
  isWritten,
  member,
  membersOf,
  record,
  rowsOf,
  UNREADABLE,
  type Rule,
} from './rules.ts';
import { ofAnswer, ofRows, tryAnswers, type Oracle } from './trial.ts';

/** Accounts and their people as the client returns them, compared with the answers (spec 2.2 to 2.10). */

const isNonEmpty = (shown: string) => shown !== '';

/** Consent counts only if it was sent explicitly. */
const isFlagOrHidden: Rule<boolean | undefined> = (shown, said) =>
  shown === (typeof said === 'boolean' ? said : undefined);

const isAlert = all<Alert>(
  record<Pick<Alert, 'amount' | 'created' | 'lastModified'>>({
    amount: isSameOrHidden,
    created: isTime,
    lastModified: isTime,
  }),
  ({ amount }) => amount?.isNegative() !== true,
  // An alert with an amount and without a flag is off.
  ({ amount, enabled }, said, isIntact) => {
    const flag = member(said, 'enabled') ?? undefined;
    return flag === undefined && amount
      ? enabled === false
      : isFlagOrHidden(enabled, flag, isIntact);
  },
  ({ lastTriggered, alertedTimes, hasFired }, said, isIntact) => {
    const fired = member(said, 'alertedTimes');
    const firings = [member(said, 'lastTriggered'), fired];
    // A time is text, or in ms since the epoch.
    const isMoment = (one: unknown) =>
      isTime(lastTriggered, one) || isSame(lastTriggered, one, isIntact);
    const isCount = Array.isArray(fired)
      ? alertedTimes === fired.length
      : isSameOrHidden(alertedTimes, fired, isIntact);
    const isFired = hasFired === undefined || firings.some((one) => (one ?? null) !== null);
    return isCount && isFired && firings.flat().some(isMoment);
  },
);

/** An alert, bare or wrapped; undefined only for an empty answer. */
const isOnlyAlert: Rule<Alert | undefined> = (shown, said, isIntact) =>
  [said, ...insideOf(said, 3)].some((one) =>
    shown === undefined
      ? (one ?? null) === null || (Array.isArray(one) && one.length === 0)
      : isAlert(shown, one, isIntact),
  );

const isAccount = bareOrIn(
  'account',
  record<Account>({
    id: all<string>(isId, isNonEmpty),
    accountId: isId,
    fullName: isText,
    email: isText,
    orgQuota: isSameOrHidden,
    enabled: isFlagOrHidden,
    tou: (shown, said, isIntact) =>
      isFlagOrHidden(shown, member(said, 'accepted') ?? said, isIntact),
    address: (shown, said) => {
      const lines = [said, ...insideOf(said, 3)];
      return shown.every((line) => lines.some((one) => line === one || isWritten(line, one)));
    },
    // Brand and number are in the same object; leading zeros of a number may be missing.
    paymentMethods: (shown = [], said) => {
      const isCard = (
        { brand, last4 }: NonNullable<Account['paymentMethods']>[number],
        sent: unknown,
      ) => isText(brand, member(sent, 'brand')) && isId(last4, member(sent, 'last4'));
      const places = [said, ...insideOf(said, 3)];
      return shown.every((card) => places.some((place) => isCard(card, place)));
    },
    alert: isOnlyAlert,
  }),
);

/** An answer with one account: bare, or a list of one. */
const isOnlyAccount: Rule<Account> = (shown, said, isIntact) => {
  const [row, ...others] = rowsOf(said, 'items') ?? [];
  const isInList = others.length === 0 && isAccount(shown, row, isIntact);
  return isInList || isAccount(shown, said, isIntact);
};

/** Known roles must be sent literally; other texts are returned beside them. */
const areHeld: Rule<HeldRoles> = ({ roles, otherRoles = [] }, said) => {
  const held = member(said, 'roles');
  const words: string[] = [...roles, ...otherRoles];
  const texts = Array.isArray(held) ? held.filter((role) => typeof role === 'string') : [];
  return areTexts(roles, held) && texts.every((role) => role === '' || words.includes(role));
};

const isToken = all<BillingToken>(
  record<Omit<BillingToken, keyof HeldRoles>>({
    id: all<string>(isId, isNonEmpty),
    name: isText,
    description: isText,
    createdBy: isText,
    created: isTime,
    lastModified: isTime,
    lastUsedAt: isTime,
    // An end that cannot be read is not "no end".
    expiresAt: (shown, said) => (shown === undefined ? !said : isTime(shown, said)),
  }),
  areHeld,
);

/** The sent secret; the other fields are as sent or, if missing, as requested. */
const isCreatedToken: Rule<CreatedToken> = (shown, said, isIntact) => {
  const { secret, id, name, roles } = shown;
  const isAsked =
    isId(id, member(said, 'id')) && name === 'ci' && roles.join() === 'billing_viewer';
  const token = member(said, 'token');
  return (
    [token, ...insideOf(token, 1)].includes(secret.reveal()) &&
    (isToken(shown, said, isIntact) || isAsked)
  );
};

/** The requested org and no other, with a sent key. */
const isOrgCreation: Rule<Awaited<ReturnType<BillingClient['createOrg']>>> = (shown, said) => {
  const places = [said, member(said, 'org')];
  const names = places.map((place) => member(place, 'name')).filter((name) => name !== undefined);
  const keys = places.map((place) => member(place, 'superuserServiceAccountToken'));
  const key = shown.superuserServiceAccountToken?.reveal();
  const isNamed = names.length === 0 || names.some((name) => name === NEW_ORG || name === null);
  const isKey = key === undefined || insideOf(keys, 2).includes(key);
  return said !== UNREADABLE && shown.name === NEW_ORG && isNamed && shown.created && isKey;
};

const isUser = all<BillingUser>(({ email }, said) => email === member(said, 'email'), areHeld);

/** The one that was asked for: a record, which need not say so, or one in a list; undefined only if a list lacks it. */
const isAskedUser: Rule<BillingUser | undefined> = (shown, said, isIntact) => {
  const rows = rowsOf(said, 'items', 'users');
  if (shown === undefined) return rows !== undefined;
  const isUnnamed = all<BillingUser>(
    (_user, one) => (member(one, 'email') ?? null) === null,
    areHeld,
  );
  return (
    shown.email.toLowerCase() === ADDED_USER &&
    (bareOrIn('user', isUnnamed)(shown, said, isIntact) ||
      [said, ...(rows ?? [])].some((one) => bareOrIn('user', isUser)(shown, one, isIntact)))
  );
};

const isRecipient = bareOrIn(
  'recipient',
  record<Recipient>({ id: isId, email: is, enabled: isFlagOrHidden }),
);

/** Every field was sent under its name, one level deep at most. */
const isQuotaRecord: Rule<QuotaRecord> = (shown, said) => {
  const isSaid = (text: string, value: unknown) =>
    isWritten(text, value) || value === text || (typeof value === 'boolean' && text === `${value}`);
  const fields = membersOf(said).flatMap(([name, value]): [string, unknown][] => {
    const inner = Array.isArray(value) ? [...value.entries()] : membersOf(value);
    return [[name, value], ...inner.map(([at, one]): [string, unknown] => [`${name}.${at}`, one])];
  });
  return (
    said !== UNREADABLE &&
    [...shown].every(([name, text]) =>
      fields.some(([field, value]) => field === name && isSaid(text, value)),
    )
  );
};

/** The specification does not show the answer to such a write, so it is not read. */
const isNothing: Oracle = (shown) => shown === undefined;
const isRemoval: Oracle = (shown, { documents }) =>
  documents[0] !== UNREADABLE &&
  ['{"removed":true}', '{"removed":false}'].includes(JSON.stringify(shown));

/** A write whose success may have no body: then the result is the requested one. */
function orAsked<Shown>(isSaid: Rule<Shown>, isAsked: (shown: Shown) => boolean): Oracle {
  return (shown, sent) =>
    isSilent(sent.answers.at(-1)!.body) ? isAsked(shown as Shown) : ofAnswer(isSaid)(shown, sent);
}

tryAnswers('records', {
  'billing.createAlert': isNothing,
  'billing.getAlert': ofAnswer(isOnlyAlert),
  'billing.replaceAlert': isNothing,
  'billing.getAccount': ofAnswer(isOnlyAccount),
  'billing.listAccounts': ofRows(isAccount, 'items'),
  'billing.getPayerOf': ofAnswer(isOnlyAccount),
  'billing.removeAlert': isRemoval,
  'billing.createToken': ofAnswer(isCreatedToken),
  'billing.listTokens': ofRows(isToken, 'items'),
  'billing.removeToken': isNothing,
  'billing.createOrg': orAsked(
    isOrgCreation,
    ({ name, superuserServiceAccountToken: key }) => name === NEW_ORG && key === undefined,
  ),
  'billing.listOrgs': ofRows(
    record<Org>({ name: all(is, isNonEmpty), accountId: isId, created: isTime }),
    'items',
  ),
  'billing.addUser': isNothing,
  'billing.setUserRoles': isNothing,
  'billing.getUser': ofAnswer(isAskedUser),
  'billing.listUsers': ofRows(bareOrIn('user', isUser), 'items', 'users'),
  'billing.removeUser': isNothing,
  'billing.addRecipient': orAsked(
    isRecipient,
    ({ email, enabled }) => email === 'ap@acme.example' && enabled === true,
  ),
  'billing.listRecipients': ofRows(isRecipient, 'items'),
  'billing.setRecipientEnabled': orAsked(isRecipient, ({ enabled }) => enabled === true),
  'billing.removeRecipient': isNothing,
  'billing.listDeliveries': ofRows(
    record<Delivery>({
      id: isId,
      recipientEmail: is,
      status: is,
      invoiceId: isId,
      attemptCount: isSameOrHidden,
      errorMessages: (shown, said) => shown.every((one) => [said].flat().includes(one)),
    }),
    'items',
    'deliveries',
    'invoiceDeliveries',
  ),
  'billing.listQuotas': ofRows(isQuotaRecord, 'items', 'quotas'),
  'billing.requestQuotaIncrease': orAsked(isQuotaRecord, ({ size }) => size === 0),
});
