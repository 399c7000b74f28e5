import { BigNumber } from 'bignumber.js';

/**
 * Whether a text of the bot's tells the truth about an exact figure. Nothing here writes such a text:
 * it is read back as a person reads it, within the rounding that can be seen.
 */
export function isMoney(text: string, exact: BigNumber): boolean {
  const { bound, sign, figure } =
    /^(?<bound>[<>]?)(?<sign>-?)\$(?<figure>[\d,]+\.\d\d)$/.exec(text)?.groups ?? {};
  if (figure === undefined) return false;
  const shown = new BigNumber(`${sign}${figure.replaceAll(',', '')}`);
  if (bound !== '') return shown.abs().eq('0.01') && !exact.isZero() && exact.abs().lt('0.005');
  return shown.minus(exact).abs().lte('0.005') && (exact.isZero() || !shown.isZero());
}

/** Names of units -> how many of the metric's own unit that is, a second of it for what is held. */
const THINGS = {
  byte: 1,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
} as const;

/** Metric -> what the platform counts it in (platform notes). */
const COUNTED: Readonly<Record<string, readonly [thing: string, isHeld: boolean]>> = {
  cpu: ['core', true],
  memory: ['byte', true],
  gpu: ['GPU', true],
  replicas: ['replica', true],
  egress: ['byte', false],
  'cross-zone-traffic': ['byte', false],
  'load-balancer-processed-bytes': ['byte', false],
  'load-balancer-seconds': ['', true],
  'volume-set-capacity-bytes': ['GiB', true],
  volume_set_capacity: ['GB', true],
  'snapshot-storage': ['GiB', true],
  'logs-storage': ['GB', true],
  'metrics-storage': ['GB', true],
  'tracing-storage': ['GB', true],
  'metrics-samples': ['sample', false],
};

export function isQuantity(text: string, exact: BigNumber, metric: string): boolean {
  const { bound, figure, unit } =
    /^(?<bound>[<>]?)(?<figure>-?[\d,]+(?:\.\d+)?) (?<unit>[\w-]+)$/.exec(text)?.groups ?? {};
  const counted = COUNTED[metric];
  if (figure === undefined || unit === undefined || counted === undefined) return false;
  const size = sizeOf(unit, counted);
  if (size === undefined) return false;

  const shown = new BigNumber(figure.replaceAll(',', ''));
  const value = exact.div(size);
  if (bound !== '') return shown.eq('0.001') && value.gt(0) && value.lt('0.001');
  const digits = Math.max(1, 3 - (shown.e ?? 0));
  return shown.minus(value).abs().lte(new BigNumber(0.5).shiftedBy(-digits));
}

/** How much of the metric's own unit a unit is; undefined for one of something else. */
function sizeOf(unit: string, [thing, isHeld]: readonly [string, boolean]) {
  const { what = '', time } =
    /^(?:(?<what>[A-Za-z]+?)s?)??-?(?<time>(?:hour|second)s?)?$/.exec(unit)?.groups ?? {};
  if ((time !== undefined) !== isHeld) return undefined;
  const seconds = time?.startsWith('hour') ? 3_600 : 1;
  const [from, to] = [thingOf(what), thingOf(thing)];
  if (from === undefined || to === undefined) return what === thing ? seconds : undefined;
  return new BigNumber(from).times(seconds).div(to);
}

function thingOf(name: string): number | undefined {
  return Object.hasOwn(THINGS, name) ? THINGS[name as keyof typeof THINGS] : undefined;
}

/** "12.3 %" of a whole. */
export function isShare(text: string, part: BigNumber, whole: BigNumber): boolean {
  // An empty cell of a table is a dash.
  if (whole.isZero()) return text === '–';
  return isPercent(text.replace(/^-/, '-'), part.times(100).div(whole));
}

/** What became of what was before. */
export function isChange(text: string, now: BigNumber, before: BigNumber): boolean {
  if (text === 'no change') return now.eq(before);
  if (text === 'new') return before.isZero() && !now.isZero();
  if (text === 'gone') return now.isZero() && !before.isZero();
  if (before.isZero() || now.isZero() || now.eq(before)) return false;
  const times = now.div(before);
  const { factor, more } = /^x (?<factor>[\d,]+)(?<more>\+?)$/.exec(text)?.groups ?? {};
  if (factor !== undefined) {
    const shown = new BigNumber(factor.replaceAll(',', ''));
    return more === '+' ? times.gt(shown) : shown.minus(times).abs().lte('0.5') && times.gte(11);
  }
  const percent = now.minus(before).times(100).div(before);
  if (!/^[<>≈]?-|^≈|^[<>]?\+/.test(text)) return false;
  return isPercent(text, percent);
}

/** A percentage with its bound: "<0.1 %", ">-100 %", "≈0 %". */
function isPercent(text: string, exact: BigNumber): boolean {
  const { bound, figure } =
    /^(?<bound>[<>≈]?)\+?(?<figure>-?[\d,]+(?:\.\d)?) %$/.exec(text)?.groups ?? {};
  if (figure === undefined) return false;
  const shown = new BigNumber(figure.replaceAll(',', ''));
  const isNear = shown.minus(exact).abs().lte('0.1') && !shown.eq(exact);
  if (bound === '<') return exact.lt(shown) && isNear;
  if (bound === '>') return exact.gt(shown) && isNear;
  if (bound === '≈') return isNear && shown.minus(exact).abs().lte('0.05');
  // Without a sign that says otherwise, nothing is nothing and all is all.
  const isExact = shown.isZero() || shown.abs().eq(100);
  return isExact ? shown.eq(exact) || exact.abs().gt(100) : shown.minus(exact).abs().lte('0.05');
}
