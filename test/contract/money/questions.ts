import * as fc from 'fast-check';
import { isReadable, ranges, STEPS, startOf, type Asked, type Step, type Typed } from './spans.ts';

/** A question for the books, and its typed form for the bot. */
export interface Question extends Asked {
  readonly command: '/charges' | '/usage';
  /** Undefined: the default grouping of the command. */
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
const named = (names: string) => names.split(' ');
const TAGS = named(
  'org gvc workload location metric feature locationType performanceClass volumeSet volumeIndex workloadType',
);
const METRICS = named(
  'cpu memory gpu replicas egress volume-set-capacity-bytes volume_set_capacity snapshot-storage load-balancer-processed-bytes logs-storage',
);
const ITEMS = named(
  'cpu memory byok-cpu gpu egress general-purpose-ssd snapshots-high-throughput-ssd load-balancer-seconds metrics-samples',
);
const CONDITIONS = Object.entries({
  gvc: ['shop', 'prod', 'nowhere', '', '/^(shop|data)$/', '/o/', '/^[a-m]/'],
  workload: ['web', 'orders-db', '/^$/', '/db$/', '/^(cart|web|etl)$/', '/[aeiou]{2}/'],
  location: ['aws-us-west-2', '/^gcp-/', '/west|asia/', ''],
  feature: ['workloads', 'volume-sets', '/^(workloads|observability)$/'],
  metric: ['cpu', '/storage$/', '/^(cpu|memory)$/', '/./'],
  locationType: ['byok', 'control_plane_hosted', '/hosted/'],
  performanceClass: ['general-purpose-ssd', '/-ssd$/', ''],
  volumeIndex: ['/^0$/', '/[01]/'],
}).flatMap(([tag, values]) => values.map((value): Condition => ({ tag, value })));

/** Questions of every kind that the grammar has (design section 3); the ways to type them are the grammar's. */
export function questions(now: number): fc.Arbitrary<Question> {
  const none: fc.Arbitrary<string[]> = fc.constant([]);
  const some = (names: string[]) => fc.subarray(names, { minLength: 1, maxLength: 3 });
  return fc
    .record({
      command: fc.constantFrom('/charges', '/usage'),
      range: fc.option(ranges(now), { freq: 8, nil: undefined }),
      by: fc.option(some(TAGS), { nil: undefined }),
      of: fc.oneof(none, some(METRICS)),
      items: fc.oneof({ weight: 3, arbitrary: none }, some(ITEMS)),
      where: fc.uniqueArray(fc.constantFrom(...CONDITIONS), {
        maxLength: 2,
        selector: ({ tag }) => tag,
      }),
      orgs: fc.oneof(none, some(ORGS)),
      step: fc.option(fc.constantFrom(...STEPS), { nil: undefined }),
    })
    .map(({ range, ...asked }) => {
      const month = { start: startOf('month', now), end: startOf('month', now, 1) };
      const { span, words, isCounted } = range ?? { span: month, isCounted: false };
      const { step, of } = asked;
      const question = {
        ...asked,
        span,
        isCounted,
        step: step !== undefined && isReadable(step, span) ? step : undefined,
        // Both choose metrics, and the grammar takes only one.
        where: asked.where.filter(({ tag }) => of.length === 0 || tag !== 'metric'),
      } as const;
      return { ...question, line: lineOf(question, words) };
    });
}

/** A question with nothing but a range, as anyone types it. */
export function plainQuestion(
  command: Question['command'],
  { words, span, isCounted }: Typed,
): Question {
  const none = { by: undefined, of: [], items: [], where: [], orgs: [], step: undefined };
  return { ...none, command, span, isCounted, line: `${command} ${words}` };
}

function lineOf(question: Omit<Question, 'line'>, range: string | undefined): string {
  const { command, by = [], of, items, where, orgs, step } = question;
  const parts: [keyword: string, words: string | undefined][] = [
    ['', range],
    ['by ', by.join(',')],
    ['of ', of.join(',')],
    ['org ', orgs.join(',')],
    ['item ', items.join(',')],
    ...where.map(({ tag, value }): [string, string] => ['where ', `${tag}=${value}`]),
    ['step ', step],
  ];
  return [command, ...parts.flatMap(([keyword, words]) => (words ? keyword + words : []))].join(
    ' ',
  );
}
