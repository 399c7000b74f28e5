import type { BigNumber } from 'bignumber.js';
import type {
  BillingPeriodCharges,
  ChargeableItem,
  ChargeRow,
  Charges,
  ChargeTier,
  DetailedChargeRow,
  DetailedCharges,
} from '../../../../src/platform/billing/charge-rows.ts';
import type {
  InvoicePeriod,
  LineItem,
  PaymentLink,
  PendingInvoice,
} from '../../../../src/platform/billing/invoices.ts';
import type {
  Consumption,
  ConsumptionResult,
  Group,
  Period,
} from '../../../../src/platform/consumption/result.ts';
import type { TagValues } from '../../../../src/platform/consumption/query.ts';
import type { Usage } from '../../../../src/platform/usage.ts';
import { isEach, isPartOf } from './listing.ts';
import type { Intact } from './listing.ts';
import {
  areRoles as areTexts,
  isId,
  isNegative,
  isNumber,
  isSame,
  isSameOrAbsent,
  isSameOrHidden,
  isText,
  isTime,
  isWhole,
  isWritten,
  listOf,
  member,
  membersOf,
} from './sent.ts';

/** What is shown of money and quantities, held against what was said (spec 2.6 to 2.8, 4.5, 4.6). */

type IsRow<Row> = (row: Row, said: unknown) => boolean;

export function areCharges(shown: Charges, said: unknown, isIntact: Intact): boolean {
  return isResult(shown, member(said, 'results'), isChargeRow, isIntact);
}

export function isUsage(shown: Usage, said: unknown, isIntact: Intact): boolean {
  return isResult(
    shown,
    said,
    (row, sent) =>
      isConsumption(row, sent) &&
      isSameOrAbsent(row.projectedValue, member(sent, 'projectedValue')),
    isIntact,
  );
}

export function areDetailedCharges(
  { billingPeriods, skipped }: DetailedCharges,
  said: unknown,
  isIntact: Intact,
): boolean {
  const entries = listOf(member(said, 'detailedResults'));
  const inList = (list: string) => (row: unknown) => isIntact(row, list);
  const isEntry = ({ ratePlan, results }: BillingPeriodCharges, entry: unknown) => {
    const plan = member(entry, 'accountState', 'ratePlan');
    const isPlan = [plan, member(plan, 'id'), member(plan, 'name')].some((name) =>
      isText(ratePlan, name),
    );
    const said = listOf(member(entry, 'results'));
    const isOf = (result: ConsumptionResult<DetailedChargeRow>, sent: unknown) =>
      isResult(result, sent, isDetailedRow, isIntact);
    return isPlan && said !== undefined && isPartOf(results, said, isOf, inList('results'));
  };
  if (
    entries === undefined ||
    !isPartOf(billingPeriods, entries, isEntry, inList('detailedResults'))
  )
    return false;
  const results = entries.flatMap((entry) => listOf(member(entry, 'results')) ?? []);
  const shown = billingPeriods.flatMap(({ results }) => results);
  return (
    countShown(shown) + skipped >= results.reduce<number>((sum, one) => sum + countSaid(one), 0)
  );
}

function isResult<Row extends Consumption>(
  shown: ConsumptionResult<Row>,
  said: unknown,
  isRow: IsRow<Row>,
  isIntact: Intact,
): boolean {
  const periods = listOf(member(said, 'periods'));
  const isPeriodOf = (period: Period<Row>, sent: unknown) =>
    isPeriod(period, sent, isRow, isIntact);
  const isTold = member(said, 'periods') !== undefined || shown.consumptionCount === 0;
  return (
    isTold &&
    periods !== undefined &&
    isSameOrHidden(shown.consumptionCount, member(said, 'consumptionCount')) &&
    isPartOf(shown.periods, periods, isPeriodOf, (row) => isIntact(row, 'periods')) &&
    // No row is lost without a word.
    countShown([shown]) + shown.skipped >= countSaid(said)
  );
}

function isPeriod<Row extends Consumption>(
  period: Period<Row>,
  said: unknown,
  isRow: IsRow<Row>,
  isIntact: Intact,
): boolean {
  const groups = listOf(member(said, 'groups'));
  const isGroup = ({ key, rows }: Group<Row>, sent: unknown) => {
    const consumptions = listOf(member(sent, 'consumptions'));
    // A row that names another group is of neither.
    const isOwn = (row: unknown) =>
      Object.entries(key).every(([tag, value]) => (member(row, 'tags', tag) ?? '') === value) &&
      isIntact(row, 'consumptions');
    return (
      isKey(key, member(sent, 'key')) &&
      consumptions !== undefined &&
      isPartOf(rows, consumptions, isRow, isOwn)
    );
  };
  const counts = ['totalSeconds', 'elapsedSeconds', 'consumptionCount'] as const;
  return (
    groups !== undefined &&
    period.startMs < period.endMs &&
    isTime(period.startMs, member(said, 'startTime')) &&
    isTime(period.endMs, member(said, 'endTime')) &&
    counts.every((name) => isSameOrHidden(period[name], member(said, name))) &&
    isPartOf(period.groups, groups, isGroup, (row) => isIntact(row, 'groups'))
  );
}

function countShown(results: readonly ConsumptionResult<Consumption>[]): number {
  const groups = results.flatMap(({ periods }) => periods.flatMap(({ groups }) => groups));
  return groups.reduce((sum, { rows }) => sum + rows.length, 0);
}

function countSaid(result: unknown): number {
  const groups = (listOf(member(result, 'periods')) ?? []).flatMap(
    (period) => listOf(member(period, 'groups')) ?? [],
  );
  return groups.reduce<number>(
    (sum, group) => sum + (listOf(member(group, 'consumptions')) ?? []).length,
    0,
  );
}

function isConsumption({ value, tags }: Consumption, said: unknown): boolean {
  return (
    isSame(value, member(said, 'value')) &&
    !isNegative(member(said, 'value')) &&
    areTags(tags, member(said, 'tags'))
  );
}

function areTags(shown: Readonly<Record<string, string>>, said: unknown): boolean {
  const sent = membersOf(said).filter(([, value]) => value !== null);
  return (
    sent.length === Object.keys(shown).length &&
    sent.every(([tag, value]) =>
      isNumber(value) ? isWritten(shown[tag], value) : shown[tag] === value,
    )
  );
}

/** The tags of a group; one that its rows lack is the empty string. */
function isKey(shown: Group<unknown>['key'], said: unknown): boolean {
  const isSaid = ([tag, value]: [string, string]) =>
    value !== '' || typeof member(said, tag) === 'string';
  return areTags(Object.fromEntries(Object.entries(shown).filter(isSaid)), said);
}

function isChargeRow(row: ChargeRow, said: unknown): boolean {
  const { total, projectedTotal, currency, ratePlans } = row;
  return (
    isConsumption(row, said) &&
    isSame(total, member(said, 'total')) &&
    isSameOrAbsent(projectedTotal, member(said, 'projectedTotal')) &&
    isText(currency, inCapitals(member(said, 'currency'))) &&
    (currency !== undefined || total.isZero()) &&
    (ratePlans.length === 0 || areTexts(ratePlans, member(said, 'ratePlans')))
  );
}

function inCapitals(said: unknown): unknown {
  return typeof said === 'string' ? said.trim().toUpperCase() : said;
}

function isDetailedRow(row: DetailedChargeRow, said: unknown): boolean {
  return isChargeRow(row, said) && isEach(row.details, member(said, 'details'), isTier);
}

function isTier(tier: ChargeTier, said: unknown): boolean {
  const bounds = ['from', 'to'] as const;
  return (
    (['amount', 'units', 'rate'] as const).every((name) =>
      isSame(tier[name], member(said, name)),
    ) &&
    bounds.every((name) => isBound(tier[name], member(said, name))) &&
    isText(tier.chargeableItemId, member(said, 'chargeableItemId'))
  );
}

/** A bound of -1 is none. */
function isBound(shown: BigNumber | undefined, said: unknown): boolean {
  return isSameOrAbsent(shown, said) || (shown === undefined && isSame(-1, said));
}

export function isInvoice(shown: PendingInvoice, said: unknown): boolean {
  const { credits, orgNames } = shown;
  const ids = ['id', 'accountId'] as const;
  return (
    isCharge(shown.totalCharge, member(said, 'totalCharge')) &&
    isSameOrHidden(shown.number, member(said, 'number')) &&
    ids.every((name) => isId(shown[name], member(said, name))) &&
    isTrimmed(shown.status, member(said, 'status')) &&
    (orgNames.length === 0 || areTexts(orgNames, member(said, 'orgNames'))) &&
    isTime(shown.startTime, member(said, 'startTime')) &&
    isTime(shown.endTime, member(said, 'endTime')) &&
    isEach(shown.periods, listIn(said, 'periods'), isInvoicePeriod) &&
    isEach(credits, listIn(said, 'credits'), isCredit)
  );
}

function isTrimmed(shown: string, said: unknown): boolean {
  return isText(shown, typeof said === 'string' ? said.trim() : said);
}

/** What is said to be a list and is none stands for one row of which nothing can be read. */
function listIn(said: unknown, name: string): readonly unknown[] {
  return listOf(member(said, name)) ?? [undefined];
}

function isInvoicePeriod(period: InvoicePeriod, said: unknown): boolean {
  return (
    isCharge(period.totalCharge, member(said, 'totalCharge')) &&
    isTrimmed(period.status, member(said, 'status')) &&
    isTime(period.startTime, member(said, 'startTime')) &&
    isTime(period.endTime, member(said, 'endTime')) &&
    isEach(period.items, listIn(said, 'items'), isLine)
  );
}

/** A credit lowers what is due; an amount that would raise it is not shown as one. */
function isCredit(credit: LineItem, said: unknown): boolean {
  const charge = member(said, 'charge');
  const isRaising = isWhole(charge) && !isNegative(charge) && !isSame(0, charge);
  return isRaising ? credit.charge === undefined : isLine(credit, said);
}

function isLine({ charge, quantity, description, org }: LineItem, said: unknown): boolean {
  const owner = member(said, 'org') ?? '';
  const isList = Array.isArray(said) || isNumber(said);
  const isObject = typeof said === 'object' && said !== null && !isList;
  const isOwned = isObject && typeof owner === 'string';
  return (
    isCharge(charge, member(said, 'charge')) &&
    isSameOrHidden(quantity, member(said, 'quantity')) &&
    isText(description, member(said, 'description')) &&
    org === (isOwned ? owner : undefined)
  );
}

/** Amounts of invoices are integers in the smallest unit (spec 2.1); one that is plainly so is shown. */
function isCharge(shown: BigNumber | undefined, said: unknown): boolean {
  if (shown !== undefined) return isSame(shown, said) && isWhole(said);
  return !(isNumber(said) && isWhole(said) && Math.abs(Number(said.value)) < 1e50);
}

export function isPaymentLink({ id, externalUrl }: PaymentLink, said: unknown): boolean {
  return isId(id, member(said, 'id')) && externalUrl === member(said, 'externalUrl');
}

export function isItem(item: ChargeableItem, said: unknown): boolean {
  const texts = ['id', 'name', 'description', 'unit', 'type'] as const;
  return (
    texts.every((name) => isText(item[name], member(said, name))) &&
    areTags(item.consumptionTags, member(said, 'consumptionTags'))
  );
}

export function areTagValues({ values, skipped }: TagValues, said: unknown): boolean {
  const sent = listOf(member(said, 'tagValues'));
  const isSaid = (value: string) =>
    sent?.some((one) => (isNumber(one) ? isWritten(value, one) : one === value));
  const isTold = member(said, 'tagValues') !== undefined;
  return isTold && values.length + skipped === sent?.length && values.every(isSaid);
}
