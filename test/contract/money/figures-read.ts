import { BigNumber } from 'bignumber.js';

/**
 * Whether a text of the bot's shows the truth about an exact figure. Nothing here writes such a text:
 * it is read back as a person reads it, within the rounding that can be seen.
 */
export function isMoney(text: string, exact: BigNumber): boolean {
  const { bound, sign, figure } =
    /^(?<bound>[<>]?)(?<sign>−?)\$(?<figure>[\d,]+\.\d\d)$/.exec(text)?.groups ?? {};
  if (figure === undefined) return false;
  const shown = numberOf(`${sign}${figure}`);
  if (bound !== '') return shown.abs().eq('0.01') && !exact.isZero() && exact.abs().lt('0.005');
  return shown.minus(exact).abs().lte('0.005') && (exact.isZero() || !shown.isZero());
}

/** Units of one kind -> how large they are. */
const THINGS: readonly Readonly<Record<string, number>>[] = [
  Object.fromEntries(
    ['byte', 'KB', 'MB', 'GB', 'TB', 'KiB', 'MiB', 'GiB', 'TiB'].map((name, at) => [
      name,
      at < 5 ? 1_000 ** at : 1_024 ** (at - 4),
    ]),
  ),
  ...['core', 'GPU', 'replica', 'sample', ''].map((name) => ({ [name]: 1 })),
];

/** Metric -> its unit on the platform (platform notes); with seconds for a quantity that is held. */
const COUNTED: Readonly<Record<string, string>> = {
  cpu: 'core-second',
  memory: 'byte-second',
  gpu: 'GPU-second',
  replicas: 'replica-second',
  egress: 'byte',
  'cross-zone-traffic': 'byte',
  'load-balancer-processed-bytes': 'byte',
  'load-balancer-seconds': 'second',
  'volume-set-capacity-bytes': 'GiB-second',
  volume_set_capacity: 'GB-second',
  'snapshot-storage': 'GiB-second',
  'logs-storage': 'GB-second',
  'metrics-storage': 'GB-second',
  'tracing-storage': 'GB-second',
  'metrics-samples': 'sample',
};

export function isQuantity(text: string, exact: BigNumber, metric: string): boolean {
  const { bound, shown, value } = readQuantity(text, exact, metric) ?? {};
  if (shown === undefined || value === undefined) return false;
  if (bound !== '') return shown.eq('0.001') && value.gt(0) && value.lt('0.001');
  const digits = Math.max(1, 3 - (shown.e ?? 0));
  return shown.minus(value).abs().lte(new BigNumber(0.5).shiftedBy(-digits));
}

/** The figure of a text, and the exact value in its unit, where that is one of the metric. */
function readQuantity(text: string, exact: BigNumber, metric: string) {
  const {
    bound,
    figure,
    unit = '',
  } = /^(?<bound>[<>]?)(?<figure>−?[\d,]+(?:\.\d+)?) (?<unit>[\w-]+)$/.exec(text)?.groups ?? {};
  const [is, own] = [readUnit(unit), readUnit(COUNTED[metric] ?? '-')];
  if (figure === undefined || own.things === undefined) return undefined;
  if (is.things !== own.things || is.isHeld !== own.isHeld) return undefined;
  return { bound, shown: numberOf(figure), value: exact.times(own.size).div(is.size) };
}

/** Whether an estimate is the exact figure in whole dollars, or in its first three digits (two below 100). */
export function isEstimate(text: string, exact: BigNumber, metric: string): boolean {
  if (metric === '') {
    const figure = /^(?<sign>−?)\$(?<figure>[\d,]+)$/.exec(text)?.groups;
    if (figure === undefined) return exact.abs().lt(10) && isMoney(text, exact);
    const shown = numberOf(`${figure['sign']}${figure['figure']}`);
    const most = BigNumber.max('0.5', exact.abs().times('0.005'));
    return exact.abs().gte(10) && shown.minus(exact).abs().lte(most);
  }
  const { bound, shown, value } = readQuantity(text, exact, metric) ?? {};
  if (shown === undefined || value === undefined) return false;
  if (bound !== '') return isQuantity(text, exact, metric);
  const most = value.abs().times(value.abs().lt(100) ? '0.05' : '0.005');
  return shown.minus(value).abs().lte(most);
}

/** "GiB-hours", "cores", "seconds". */
function readUnit(unit: string) {
  const { what = '', time } =
    /^(?:(?<what>[A-Za-z]+?)s?)??-?(?<time>(?:hour|second)s?)?$/.exec(unit)?.groups ?? {};
  const things = THINGS.find((those) => Object.hasOwn(those, what));
  const seconds = time?.startsWith('hour') === true ? 3_600 : 1;
  return { things, isHeld: time !== undefined, size: (things?.[what] ?? 1) * seconds };
}

function numberOf(figure: string): BigNumber {
  return new BigNumber(figure.replaceAll(',', '').replace('−', '-'));
}

/** "12%" of a whole. */
export function isShare(text: string, part: BigNumber, whole: BigNumber): boolean {
  // An empty cell of a table is a dash.
  if (whole.isZero()) return text === '–';
  return isPercent(text, part.times(100).div(whole));
}

/** Whether the text is the change from the value before. */
export function isChange(text: string, now: BigNumber, before: BigNumber): boolean {
  if (text === 'no change') return now.eq(before);
  if (text === 'new') return before.isZero() && !now.isZero();
  if (text === 'gone') return now.isZero() && !before.isZero();
  if (before.isZero() || now.isZero() || now.eq(before)) return false;
  const times = now.div(before);
  const { factor, more } = /^(?<more>over )?(?<factor>[\d,]+) times$/.exec(text)?.groups ?? {};
  if (factor !== undefined) {
    const shown = numberOf(factor);
    return more !== undefined
      ? times.gt(shown)
      : shown.minus(times).abs().lte('0.5') && times.gte(11);
  }
  const percent = now.minus(before).times(100).div(before);
  if (!/^(?:almost )?−|^about |^\+/.test(text)) return false;
  return isPercent(text.replace(/^about |^almost /, '≈'), percent);
}

/** A percentage with its bound: "<0.1%", ">−100%", "≈0%". */
function isPercent(text: string, exact: BigNumber): boolean {
  const { bound, figure } =
    /^(?<bound>[<>≈]?)\+?(?<figure>−?[\d,]+(?:\.\d)?)%$/.exec(text)?.groups ?? {};
  if (figure === undefined) return false;
  const shown = numberOf(figure);
  // Whole percents from 10 on.
  const most = shown.abs().lt(10) ? '0.05' : '0.5';
  const isNear =
    shown
      .minus(exact)
      .abs()
      .lte(shown.abs().lt(10) ? '0.1' : '0.5') && !shown.eq(exact);
  if (bound === '<') return exact.lt(shown) && isNear;
  if (bound === '>') return exact.gt(shown) && isNear;
  if (bound === '≈') return isNear && shown.minus(exact).abs().lte(most);
  // Without a sign that says otherwise, nothing is nothing and all is all.
  const isExact = shown.isZero() || shown.abs().eq(100);
  return isExact ? shown.eq(exact) || exact.abs().gt(100) : shown.minus(exact).abs().lte(most);
}
