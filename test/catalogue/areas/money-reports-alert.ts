import type { AlertNotice, Settings } from '../../../src/features/alert/compare.ts';
import { alertNoticeContent } from '../../../src/features/alert/notice-view.ts';
import { mainDriver } from '../../../src/features/alert/watch.ts';
import type { Alert } from '../../../src/platform/billing/alert.ts';
import type { Charges } from '../../../src/platform/billing/charge-rows.ts';
import { spendOf } from '../../../src/reporting/spend.ts';
import { describeBefore, resolveRange, spanBefore } from '../../../src/reporting/range.ts';
import { alert, charges } from '../../unit/features/alert/scenario.ts';
import { HOUR, NOW, post, type Area } from '../entry.ts';
import { amount, at, CURRENCY } from './money-data.ts';
import { compared, days, type Cost } from './money-reports-data.ts';

interface Reported {
  readonly kind: AlertNotice['kind'];
  /** How the alert was before it changed; absent: nothing was there. */
  readonly was?: Settings;
  /** Changes of an alert at $2,000 that is on; 'none': there is no alert. */
  readonly alert?: Partial<Alert> | 'none';
  /** This month so far, in dollars, and as the platform projects it. */
  readonly total?: number;
  readonly projected?: number;
  /** Flaws of the charges; 'unread': they cannot be read at all. */
  readonly over?: Partial<Charges> | 'unread';
  readonly costs?: readonly Cost[];
  readonly now?: number;
  /** The charges of October, which the notice is about. */
  readonly ended?: number;
}

const NOVEMBER = days('2026-11-01', '2026-11-30');
const OCTOBER = days('2026-10-01', '2026-10-31');
const BY = ['org', 'gvc', 'workload'];
const MONTH_COSTS: readonly Cost[] = [
  ['acme/shop/api', 504.1, 365.29],
  ['acme/shop/web', 310.02, 333.1],
  ['globex/portal/site', 205.2, 199.8],
];

/** The workload that grew most, as the monitor finds it. */
async function driverOf(costs: readonly Cost[], now: number) {
  const before = spanBefore(resolveRange('this month', now), 'this month', now);
  if (before === undefined) return undefined;
  const range = { startMs: NOVEMBER.startMs, endMs: now };
  const { lines } = await compared(costs, { range, before }, BY);
  return mainDriver(lines, describeBefore(before, NOVEMBER));
}

async function notice(reported: Reported) {
  const { kind, was, total = 1_220.4, projected = total * 1.36, over = {}, now = NOW } = reported;
  const there =
    reported.alert === 'none'
      ? undefined
      : { ...alert({ amount: amount(2_000) }), ...reported.alert };
  const charged = charges(
    { org: 'acme', total: total * 0.8, projected: projected * 0.8 },
    { org: 'globex', total: total * 0.2, projected: projected * 0.2 },
  );
  const spend =
    over === 'unread' ? undefined : spendOf({ ...charged, ...over }, CURRENCY, NOVEMBER);
  const driver = await driverOf(reported.costs ?? MONTH_COSTS, now);
  return alertNoticeContent({
    notice: { kind, key: kind, covers: [], was, isPast: reported.ended !== undefined },
    alert: there,
    spend,
    driver: over === 'unread' ? undefined : driver,
    ended:
      reported.ended === undefined
        ? undefined
        : spendOf(charges({ org: 'acme', total: reported.ended }), CURRENCY, OCTOBER),
    currency: CURRENCY,
    now,
  });
}

const on = (dollars: number | undefined, enabled: boolean | undefined = true): Settings => ({
  amount: dollars === undefined ? undefined : amount(dollars),
  enabled,
});
const FIRED = { lastTriggered: at('2026-11-22T09:50:00Z'), alertedTimes: 2 };
/** And quiet since. */
const LONG_FIRED = {
  lastTriggered: at('2026-11-19T06:20:00Z'),
  lastModified: at('2026-11-19T06:20:01Z'),
};
const SAVED = {
  lastTriggered: at('2026-11-19T06:20:00Z'),
  lastModified: at('2026-11-22T09:40:00Z'),
};

const NOTICES: Readonly<Record<string, [when: string, reported: Reported]>> = {
  'step-over': [
    'A step is crossed; by the projection the amount is reached this month.',
    { kind: 'step', total: 1_540.2 },
  ],
  'step-on-course': [
    'A step is crossed; by the projection the amount is not reached this month.',
    { kind: 'step', total: 1_220.4 },
  ],
  'step-early': [
    'A step is crossed on the first day of a month.',
    { kind: 'step', total: 1_012, now: at('2026-11-01T07:00:00Z') },
  ],
  'step-no-pace': [
    'A step is crossed, and the platform projects nothing more.',
    { kind: 'step', total: 1_540.2, projected: 1_540.2 },
  ],
  'step-flawed': [
    'A step is crossed, and some of the charges could not be read or are in other currencies.',
    { kind: 'step', total: 1_540.2, over: { skipped: 2, mayBeTooLow: true } },
  ],
  'step-no-driver': [
    'A step is crossed, and no workload grew.',
    { kind: 'step', total: 1_540.2, costs: [['acme/shop/web', 310.02, 333.1]] },
  ],
  'step-long': [
    'A step is crossed; the amounts and names are long.',
    {
      kind: 'step',
      total: 1_540_233.21,
      alert: { amount: amount('2000000.505') },
      costs: [
        [
          'international-retail/production-europe-west-one/orders-reconciliation-worker-for-refunds',
          120_400,
          1_000,
        ],
      ],
    },
  ],
  'step-reached': ['The amount is reached.', { kind: 'step', total: 2_011.77 }],
  'step-reached-fired': [
    'The amount is reached, and the alert has fired this month already.',
    { kind: 'step', total: 2_400, alert: LONG_FIRED },
  ],
  fired: ['The spend alert has fired.', { kind: 'fired', alert: FIRED, total: 2_011.77 }],
  'fired-bare': [
    'It has fired; the platform says neither when nor at which amount.',
    { kind: 'fired', alert: { amount: undefined }, total: 2_011.77 },
  ],
  'fired-unread': [
    'It has fired, and the charges cannot be read.',
    { kind: 'fired', alert: FIRED, over: 'unread' },
  ],
  'fired-last-month': [
    'It fired in the last minutes of October, and a new month has begun.',
    {
      kind: 'fired',
      was: on(5_000),
      alert: { amount: amount(5_000), lastTriggered: at('2026-10-31T23:58:00Z') },
      ended: 5_010.2,
      total: 0.6,
      now: at('2026-11-01T00:05:00Z'),
    },
  ],
  'fired-raised': [
    'It fired, and a person raised it before the next check.',
    {
      kind: 'fired',
      was: on(5_000),
      alert: { ...SAVED, amount: amount(8_000) },
      total: 5_010.2,
    },
  ],
  'fired-saved': [
    'It fired, and was saved unchanged before the next check.',
    { kind: 'fired', was: on(2_000), alert: SAVED, total: 2_011.77 },
  ],
  'fired-off': [
    'It fired, and was switched off before the next check.',
    { kind: 'fired', was: on(2_000), alert: { ...SAVED, enabled: false }, total: 2_011.77 },
  ],
  'step-last-month': [
    'A step was crossed after the last check in October.',
    { kind: 'step', was: on(2_000), ended: 1_830, total: 0.6, now: at('2026-11-01T00:05:00Z') },
  ],
  'reached-last-month': [
    'The amount was reached after the last check in October.',
    { kind: 'step', was: on(2_000), ended: 2_011.77, total: 0.6, now: at('2026-11-01T00:05:00Z') },
  ],
  armed: [
    'It has fired, and was saved again after that.',
    { kind: 'armed', alert: SAVED, total: 1_540.2 },
  ],
  'armed-reached': [
    'It was saved again although its amount is reached.',
    { kind: 'armed', alert: SAVED, total: 2_011.77 },
  ],
  'armed-bare': [
    'It was saved again, and the platform omits its amount.',
    { kind: 'armed', alert: { ...SAVED, amount: undefined }, over: 'unread' },
  ],
  'changed-amount': [
    'A person changed its amount on the platform.',
    { kind: 'changed', was: on(1_500) },
  ],
  'changed-off': [
    'A person switched it off on the platform.',
    { kind: 'changed', was: on(2_000), alert: { enabled: false } },
  ],
  'changed-amount-unknown': [
    'The platform no longer shows its amount.',
    { kind: 'changed', was: on(2_000), alert: { amount: undefined } },
  ],
  'changed-on': [
    'A person switched it on on the platform.',
    { kind: 'changed', was: on(2_000, false) },
  ],
  'changed-both': [
    'A person changed its amount and switched it on; the charges cannot be read.',
    { kind: 'changed', was: on(500, false), over: 'unread' },
  ],
  'changed-set': ['A person set the first one on the platform.', { kind: 'changed' }],
  'changed-set-unknown': [
    'A person set one; the platform says neither its amount nor whether it is on.',
    { kind: 'changed', alert: { amount: undefined, enabled: undefined } },
  ],
  'changed-deleted': [
    'A person deleted it on the platform.',
    { kind: 'changed', was: on(2_000), alert: 'none' },
  ],
  'changed-deleted-unknown': [
    'A person deleted an alert whose amount the platform omitted.',
    { kind: 'changed', was: on(undefined), alert: 'none', over: 'unread' },
  ],
  'changed-on-unknown': [
    'The platform no longer shows whether it is on.',
    { kind: 'changed', was: on(2_000), alert: { enabled: undefined } },
  ],
  'changed-month-begins': [
    'A person changed it when the month has only just begun.',
    { kind: 'changed', was: on(1_500), total: 2, now: at('2026-11-01') + 2 * HOUR },
  ],
};

export const alertNotices: Area = {
  id: 'report-alert',
  title: 'Notifications: the spend alert',
  entries: Object.entries(NOTICES).map(([id, [when, reported]]) =>
    post(`alert-report-${id}`, when, () => notice(reported)),
  ),
};
