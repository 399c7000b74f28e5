import { TIME_STEPS } from '../platform/consumption/query.ts';
import { readRange } from './range-words.ts';

/** Everyday names of tags and metrics. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ...named('workload', 'app', 'application', 'service'),
  ...named('gvc', 'namespace', 'project', 'environment', 'env'),
  ...named('location', 'region', 'zone'),
  ...named('org', 'account', 'organization', 'organisation'),
  ...named('cpu', 'core', 'cores', 'vcpu'),
  ...named('memory', 'mem', 'ram'),
  ...named('egress', 'bandwidth', 'network', 'traffic'),
  ...named('volume-set-capacity-bytes', 'disk', 'disks', 'storage', 'volumes'),
  ...named('snapshot-storage', 'snapshots'),
  ...named('logs-storage', 'logs'),
]);

function named(name: string, ...words: string[]): [string, string][] {
  return words.map((word) => [word, name]);
}

/** @param known the names that can be meant */
export function everydayName<Name extends string>(
  text: string,
  known: readonly Name[],
): Name | undefined {
  return known.find((one) => one === NAMES.get(text.toLowerCase()));
}

/** Words that begin a range, and those of a query. */
const BEGINNINGS: ReadonlyMap<string, string> = new Map([
  ...named('last', 'past', 'previous', 'prior'),
  ['current', 'this'],
]);
const RANGES: ReadonlyMap<string, string> = new Map([
  ['now', 'today'],
  ['wtd', 'this week'],
  ['mtd', 'this month'],
  ['ytd', 'this year'],
]);
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** A part of a query in place of so many words. */
interface Part {
  readonly words: string;
  readonly count: number;
}

/** "previous month", "mtd", "Oct 2026", "per day". @param words in lower case */
export function everydayPart(words: readonly string[]): Part | undefined {
  const [first = '', second = '', third = ''] = words;
  const range = RANGES.get(first);
  if (range !== undefined) return { words: range, count: 1 };
  const step = TIME_STEPS.find((one) => one === second);
  if (step && /^(?:per|each|every)$/.test(first)) return { words: `step ${step}`, count: 2 };
  const month = MONTHS.indexOf(first.slice(0, 3)) + 1;
  if (month > 0 && /^[a-z]{3,9}\.?$/.test(first) && /^20\d\d$/.test(second)) {
    return { words: `${second}-${String(month).padStart(2, '0')}`, count: 2 };
  }
  const beginning = BEGINNINGS.get(first);
  const reading = beginning === undefined ? undefined : readRange([beginning, second, third]);
  const meant = reading && ('words' in reading ? reading.words : reading.fix);
  return reading && meant ? { words: meant, count: reading.used } : undefined;
}

/** Without these a query asks for the same: the largest rows come first, and each is compared with the span before. */
const NEEDLESS: ReadonlySet<string> = new Set(
  'a an and asc between charges cost costs date desc did for from group grouped how in me much my of or our please show spend spent the to total us usage was we what with'.split(
    ' ',
  ),
);

/** How many of the first words a query can do without: "top 5", "sort by charge", "vs last month", "for". @param words in lower case */
export function needlessCount(words: readonly string[]): number {
  const [first = '', second = '', third] = words;
  if (/^(?:top|first|limit)$/.test(first) && /^\d+$/.test(second)) return 2;
  if (/^(?:sort|order)(?:ed)?$/.test(first) && second === 'by') return third === undefined ? 2 : 3;
  if (/^(?:vs\.?|versus|compared?|than)$/.test(first)) {
    const at = /^(?:to|with)$/.test(second) ? 2 : 1;
    return at + (readRange(words.slice(at))?.used ?? 0);
  }
  return NEEDLESS.has(first) ? 1 : 0;
}
