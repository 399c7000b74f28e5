import type { BigNumber } from 'bignumber.js';
import type {
  BillingPeriodCharges,
  ChargeableItem,
  ChargeRow,
  ChargeTier,
  DetailedChargeRow,
  DetailedResult,
} from '../../../../src/platform/billing/charge-rows.ts';
import type {
  InvoicePeriod,
  LineItem,
  PaymentLink,
  PendingInvoice,
} from '../../../../src/platform/billing/invoices.ts';
import type { TagValues } from '../../../../src/platform/consumption/query.ts';
import type {
  Consumption,
  ConsumptionResult,
  Group,
  Period,
  UsageRow,
} from '../../../../src/platform/consumption/result.ts';
import {
  all,
  anything,
  areTags,
  areTexts,
  each,
  is,
  isId,
  isNegative,
  isNumber,
  isObject,
  isSame,
  isSameOrAbsent,
  isSameOrHidden,
  isSilent,
  isText,
  isTime,
  isWhole,
  isWritten,
  listOf,
  member,
  record,
  rowsIn,
  some,
  type Rule,
} from './rules.ts';
import { ofAnswer, ofRows, tryAnswers } from './trial.ts';

/** Money and quantities as the clients return them, compared with the answers (spec 2.6 to 2.8, 4.5, 4.6). */

const CONSUMPTION = {
  value: all<BigNumber>(isSame, (_shown, said) => !isNegative(said)),
  tags: areTags,
};

const isUsageRow = record<UsageRow>({ ...CONSUMPTION, projectedValue: isSameOrAbsent });

const areTextsOrNone: Rule<readonly string[]> = (shown, said) =>
  shown.length === 0 || areTexts(shown, said);

const CHARGE = {
  ...CONSUMPTION,
  total: isSame,
  projectedTotal: isSameOrAbsent,
  currency: (shown: string | undefined, said: unknown) =>
    isText(shown, typeof said === 'string' ? said.trim().toUpperCase() : said),
  ratePlans: areTextsOrNone,
};
const isInCurrency: Rule<ChargeRow> = ({ currency, total }) =>
  currency !== undefined || total.isZero();
const isChargeRow = all(record<ChargeRow>(CHARGE), isInCurrency);

/** A text, or an object with an id or a name. */
const isLabel: Rule<string | undefined> = (shown, said) =>
  [said, member(said, 'id'), member(said, 'name')].some((name) => isText(shown, name));

/** -1 means no bound. */
const isBound: Rule<BigNumber | undefined> = (shown, said, isIntact) =>
  isSameOrAbsent(shown, said, isIntact) || (shown === undefined && isSame(-1, said, isIntact));

const isTier = record<ChargeTier>({
  amount: isSame,
  units: isSame,
  rate: isSame,
  from: isBound,
  to: isBound,
  chargeableItemId: isText,
  ratePlanItem: isLabel,
});
const isDetailedRow = all(
  record<DetailedChargeRow>({ ...CHARGE, details: each(isTier) }),
  isInCurrency,
);

/** The tags of a group; one that its rows lack is the empty string. */
const isKey: Rule<Group<unknown>['key']> = (shown, said) => {
  const isSaid = ([tag, value]: [string, string]) =>
    value !== '' || typeof member(said, tag) === 'string';
  return areTags(Object.fromEntries(Object.entries(shown).filter(isSaid)), said);
};

/** A row that names another group is of neither, so it need not be shown. */
function groupOf<Row>(isRow: Rule<Row>): Rule<Group<Row>> {
  return ({ key, rows }, said, isIntact) => {
    const isOwn = (row: unknown) =>
      Object.entries(key).every(([tag, value]) => (member(row, 'tags', tag) ?? '') === value);
    const areOwn = some(isRow, 'consumptions');
    return (
      isKey(key, member(said, 'key'), isIntact) &&
      areOwn(rows, member(said, 'consumptions'), (row, list) => isOwn(row) && isIntact(row, list))
    );
  };
}

function resultOf<Row extends Consumption>(isRow: Rule<Row>): Rule<ConsumptionResult<Row>> {
  const isPeriod = record<Period<Row>>({
    startMs: [isTime, 'startTime'],
    endMs: [isTime, 'endTime'],
    totalSeconds: isSameOrHidden,
    elapsedSeconds: isSameOrHidden,
    consumptionCount: isSameOrHidden,
    groups: some(groupOf(isRow), 'groups'),
  });
  return all(
    record<ConsumptionResult<Row>>({
      periods: some(
        all(isPeriod, ({ startMs, endMs }) => startMs < endMs),
        'periods',
      ),
      consumptionCount: isSameOrHidden,
      skipped: anything,
    }),
    ({ consumptionCount }, said) => member(said, 'periods') !== undefined || consumptionCount === 0,
    // No row is lost without a word.
    (shown, said) =>
      rowsIn(shown, 'periods', 'groups', 'rows').length + shown.skipped >=
      rowsIn(said, 'periods', 'groups', 'consumptions').length,
  );
}

const areUsage = resultOf(isUsageRow);
const areChargeRows = resultOf(isChargeRow);
const areCharges: Rule<ConsumptionResult<ChargeRow>> = (shown, said, isIntact) =>
  areChargeRows(shown, member(said, 'results'), isIntact);

const isBillingPeriod = record<BillingPeriodCharges>({
  ratePlan: [isLabel, 'accountState', 'ratePlan'],
  results: some(resultOf(isDetailedRow), 'results'),
});
const areDetailedCharges = all(
  record<DetailedResult>({
    billingPeriods: [some(isBillingPeriod, 'detailedResults'), 'detailedResults'],
    skipped: anything,
  }),
  (shown, said) =>
    rowsIn(shown, 'billingPeriods', 'results', 'periods', 'groups', 'rows').length +
      shown.skipped >=
    rowsIn(said, 'detailedResults', 'results', 'periods', 'groups', 'consumptions').length,
);

/** Amounts of invoices are integers in the smallest unit (spec 2.1); one that is plainly so is shown. */
const isCharge: Rule<BigNumber | undefined> = (shown, said, isIntact) =>
  shown === undefined
    ? !(isNumber(said) && isWhole(said) && Math.abs(Number(said.value)) < 1e50)
    : isSame(shown, said, isIntact) && isWhole(said);

const isLine = all(
  record<Omit<LineItem, 'org'>>({
    charge: isCharge,
    quantity: isSameOrHidden,
    description: isText,
  }),
  ({ org }: LineItem, said) => {
    const owner = member(said, 'org') ?? '';
    const isOwned = isObject(said) && !Array.isArray(said) && typeof owner === 'string';
    return org === (isOwned ? owner : undefined);
  },
);

/** A credit lowers the amount due; one that would raise it is not shown. */
const isCredit: Rule<LineItem> = (credit, said, isIntact) => {
  const charge = member(said, 'charge');
  const isRaising = isWhole(charge) && !isNegative(charge) && !isSame(0, charge, isIntact);
  return isRaising ? credit.charge === undefined : isLine(credit, said, isIntact);
};

const TOTAL = {
  totalCharge: isCharge,
  status: (shown: string, said: unknown) =>
    isText(shown, typeof said === 'string' ? said.trim() : said),
  startTime: isTime,
  endTime: isTime,
};
const isInvoice = record<PendingInvoice>({
  ...TOTAL,
  id: isId,
  accountId: isId,
  number: isSameOrHidden,
  orgNames: areTextsOrNone,
  periods: each(record<InvoicePeriod>({ ...TOTAL, items: each(isLine) })),
  credits: each(isCredit),
});
const areInvoices = ofRows(isInvoice, 'invoices');

const isItem = record<ChargeableItem>({
  id: isText,
  name: isText,
  description: isText,
  unit: isText,
  type: isText,
  consumptionTags: areTags,
});
const areItems = ofRows(isItem, 'items');

const areTagValues: Rule<TagValues> = ({ values, skipped }, said) => {
  const sent = listOf(member(said, 'tagValues'));
  const isSaid = (value: string) => sent?.some((one) => one === value || isWritten(value, one));
  const isReported = member(said, 'tagValues') !== undefined;
  return isReported && values.length + skipped === sent?.length && values.every(isSaid);
};

const arePaymentLinks = ofRows(
  record<PaymentLink>({ id: isId, externalUrl: is }),
  'invoicePeriods',
);

tryAnswers('money', {
  'billing.charges.account': ofAnswer(areCharges),
  'billing.charges.org': ofAnswer(areCharges),
  'billing.charges.accountBody': ofAnswer(areCharges),
  'billing.charges.orgBody': ofAnswer(areDetailedCharges),
  'billing.charges.tagValues': ofAnswer(areTagValues),
  'billing.charges.chargeableItems': areItems,
  // An unreadable answer is undefined here, not an error.
  'billing.charges.knownItems': (shown, sent) => shown === undefined || areItems(shown, sent),
  'usage.queryBody': ofAnswer(areUsage),
  'usage.tagValues': ofAnswer(areTagValues),
  'billing.listInvoices': areInvoices,
  'billing.listPendingInvoices': areInvoices,
  'billing.getInvoice': ofAnswer(isInvoice),
  'billing.downloadInvoicePdf': (shown, { answers }) =>
    Buffer.concat(shown as Buffer[]).equals(answers[0]!.body),
  'billing.listPaymentLinks': (shown, sent) => {
    const { body } = sent.answers.at(-1)!;
    // Possible answers for an account that is not billed by card.
    return isSilent(body) || body.toString() === '{}'
      ? JSON.stringify(shown) === '{"items":[],"skipped":0}'
      : arePaymentLinks(shown, sent);
  },
});
