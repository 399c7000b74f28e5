import * as fc from 'fast-check';

import { isReadable, ranges, STEPS, startOf } from './spans.ts';
import type { Asked, Step, Typed } from './spans.ts';

/** What is asked, and how it is typed: the books are asked for the one, the bot for the other. */
export interface Question extends Asked {
  readonly command: '/charges' | '/usage';
  /** Undefined: what the command groups by. */
  readonly by: readonly string[] | undefined;
  readonly of: readonly string[];
  /** Names of chargeable items. */
  readonly items: readonly string[];
  readonly where: readonly Condition[];
  readonly orgs: readonly string[];
  readonly step: Step | undefined;
  readonly line: string;
}

/** A value in slashes is a regular expression, any other one is exact. */
export interface Condition {
  readonly tag: string;
  readonly value: string;
}

export const ORGS = ['acme', 'globex', 'initech'];
const TAGS = [
  'org',
  'gvc',
  'workload',
  'location',
  'metric',
  'feature',
  'locationType',
  'performanceClass',
  'volumeSet',
  'volumeIndex',
  'workloadType',
];
const METRICS = [
  'cpu',
  'memory',
  'gpu',
  'replicas',
  'egress',
  'volume-set-capacity-bytes',
  'volume_set_capacity',
  'snapshot-storage',
  'load-balancer-processed-bytes',
  'logs-storage',
];
const ITEMS = [
  'cpu',
  'memory',
  'byok-cpu',
  'gpu',
  'egress',
  'general-purpose-ssd',
  'snapshots-high-throughput-ssd',
  'load-balancer-seconds',
  'metrics-samples',
];
const CONDITIONS: readonly Condition[] = [
  ...['shop', 'prod', 'nowhere', '', '/^(shop|data)$/', '/o/', '/^[a-m]/'].map(on('gvc')),
  ...['web', 'orders-db', '/^$/', '/db$/', '/^(cart|web|etl)$/', '/[aeiou]{2}/'].map(
    on('workload'),
  ),
  ...['aws-us-west-2', '/^gcp-/', '/west|asia/', ''].map(on('location')),
  ...['workloads', 'volume-sets', '/^(workloads|observability)$/'].map(on('feature')),
  ...['cpu', '/storage$/', '/^(cpu|memory)$/', '/./'].map(on('metric')),
  ...['byok', 'control_plane_hosted', '/hosted/'].map(on('locationType')),
  ...['general-purpose-ssd', '/-ssd$/', ''].map(on('performanceClass')),
  ...['/^0$/', '/[01]/'].map(on('volumeIndex')),
];

/** A hand that types: which letters are large, what stands in quotes, what goes around commas. */
interface Hand {
  readonly large: readonly boolean[];
  readonly quotes: readonly Quotes[];
  readonly comma: string;
  /** What decides the order of the parts. */
  readonly order: readonly number[];
}
type Quotes = '' | '""' | '“”' | '„“';

const hands: fc.Arbitrary<Hand> = fc.record({
  large: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
  quotes: fc.array(fc.constantFrom<Quotes[]>('', '', '""', '“”', '„“'), {
    minLength: 5,
    maxLength: 5,
  }),
  comma: fc.constantFrom(',', ', ', ' ,', ' , '),
  order: fc.array(fc.nat(1_000), { minLength: 8, maxLength: 8 }),
});

/** Questions of every kind that the grammar has (design section 3), typed in every way. */
export function questions(now: number): fc.Arbitrary<Question> {
  return fc
    .record({
      command: fc.constantFrom('/charges', '/usage'),
      range: fc.option(ranges(now), { freq: 8, nil: undefined }),
      by: fc.option(fc.subarray(TAGS, { minLength: 1, maxLength: 3 }), { nil: undefined }),
      of: fc.oneof(fc.constant([]), fc.subarray(METRICS, { minLength: 1, maxLength: 3 })),
      items: fc.oneof(
        { weight: 3, arbitrary: fc.constant([]) },
        fc.subarray(ITEMS, { minLength: 1, maxLength: 3 }),
      ),
      where: fc.uniqueArray(fc.constantFrom(...CONDITIONS), {
        maxLength: 2,
        selector: ({ tag }) => tag,
      }),
      orgs: fc.oneof(fc.constant([]), fc.subarray(ORGS, { minLength: 1 })),
      step: fc.option(fc.constantFrom(...STEPS), { nil: undefined }),
      hand: hands,
    })
    .map(({ range, hand, ...asked }) => {
      const month = { start: startOf('month', now), end: startOf('month', now, 1) };
      const { span, words, isCounted } = range ?? { span: month, isCounted: false };
      const { step, of } = asked;
      const question = {
        ...asked,
        span,
        isCounted,
        step: step !== undefined && isReadable(step, span) ? step : undefined,
        // Both choose metrics, and the grammar takes one of them.
        where: asked.where.filter(({ tag }) => of.length === 0 || tag !== 'metric'),
      } as const;
      return { ...question, line: lineOf(question, words, hand) };
    });
}

/** A question with nothing but a range, as anybody types it. */
export function plainQuestion(
  command: Question['command'],
  { words, span, isCounted }: Typed,
): Question {
  const none = { by: undefined, of: [], items: [], where: [], orgs: [], step: undefined };
  return { ...none, command, span, isCounted, line: `${command} ${words}` };
}

function lineOf(question: Omit<Question, 'line'>, range: string | undefined, hand: Hand): string {
  const { command, by = [], of, items, where, orgs, step } = question;
  const names = (keyword: string, list: readonly string[], from: number): string[] => {
    const written = list.map((one, at) => nameOf(one, hand, from + at));
    // What follows a quotation mark at once belongs to the same word, and is taken as it is, too.
    const comma = /["“”]/.test(written.join('')) ? ', ' : hand.comma;
    return list.length === 0 ? [] : [`${loud(keyword, hand)} ${written.join(comma)}`];
  };
  const parts = [
    ...(range === undefined ? [] : [rangeOf(range, hand)]),
    ...names('by', by, 0),
    ...names('of', of, 1),
    ...names('org', orgs, 2),
    ...names('item', items, 3),
    ...where.map((one, at) => `${loud('where', hand)} ${filterOf(one, hand, at)}`),
    ...(step === undefined ? [] : [loud(`step ${step}`, hand)]),
  ];
  const place = new Map(parts.map((part, at) => [part, hand.order[at] ?? 0]));
  return [command, ...parts.toSorted((a, b) => place.get(a)! - place.get(b)!)].join(' ');
}

/** In quotes a range is one word. */
function rangeOf(range: string, hand: Hand): string {
  const text = loud(range, hand);
  return quoted(text, hand.quotes[0]!);
}

/** In quotes a name is taken as it is. */
function nameOf(name: string, hand: Hand, at: number): string {
  const quotes = hand.quotes[at % hand.quotes.length]!;
  return quotes === '' ? loud(name, hand) : quoted(name, quotes);
}

/** The quotes are around all of it, or around the value, which is always taken as it is. */
function filterOf({ tag, value }: Condition, hand: Hand, at: number): string {
  const quotes = hand.quotes[(at + 3) % hand.quotes.length]!;
  if (value === '' && quotes !== '""') return `${loud(tag, hand)}=`;
  if (hand.large[at] === true) return `${loud(tag, hand)}=${quoted(value, quotes)}`;
  return quotes === '' ? `${loud(tag, hand)}=${value}` : quoted(`${tag}=${value}`, quotes);
}

function quoted(text: string, quotes: Quotes): string {
  return quotes === '' ? text : `${quotes.charAt(0)}${text}${quotes.charAt(1)}`;
}

/** The same in another case. */
function loud(text: string, { large }: Hand): string {
  return Array.from(text)
    .map((letter, at) => (large[at % large.length] === true ? letter.toUpperCase() : letter))
    .join('');
}

function on(tag: string) {
  return (value: string): Condition => ({ tag, value });
}
