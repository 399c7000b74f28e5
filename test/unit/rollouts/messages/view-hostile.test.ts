import type { KnownBlock } from '@slack/types';
import * as fc from '../../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../../../src/rollouts/engine/rollout.ts';
import { URGENCY, type OutcomeKind } from '../../../../src/rollouts/engine/states.ts';
import {
  gvcCardContent,
  gvcGoneContent,
  gvcReadyContent,
} from '../../../../src/rollouts/messages/gvc-view.ts';
import {
  locationContent,
  locationReplyContent,
} from '../../../../src/rollouts/messages/location-view.ts';
import type { Content } from '../../../../src/rollouts/messages/view-parts.ts';
import { outcomeContent } from '../../../../src/rollouts/messages/outcome-view.ts';
import { cardContent, jobContent } from '../../../../src/rollouts/messages/workload-view.ts';
import type { WatchedGvc } from '../../../../src/rollouts/watches.ts';
import { LIMITS } from '../../../../src/slack/kit/text.ts';
import { NOON } from '../platform-json.ts';
import {
  cardOfCart,
  gvcNews,
  jobFailed,
  limaFailed,
  outcomeOfCart,
  reply,
  WHERE,
} from './scenario.ts';

const STATES = URGENCY;
const KINDS: OutcomeKind[] = [
  ...(['ready', 'failed', 'stale', 'unhealthy', 'recovered', 'flapping'] as const),
  ...(['suspended', 'resumed', 'diverged', 'lagging', 'crashloop', 'blocked', 'gone'] as const),
];

/** What a name or a message may be: short and plain, long, or made to do harm. */
const foreign = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('<!channel>', '`*_~', '&lt;', '\u202E', '', ' ', '__proto__', '<@U1|x>', '\n\n'),
  fc.nat({ max: 4_000 }).map((length) => '&<'.repeat(length)),
);
const place: fc.Arbitrary<WatchedGvc> = fc.record({ org: foreign, gvc: foreign });
const count = fc.nat({ max: 1_000_000 });
/** The version that the stories are about, of which more is said, or any. */
const version = fc.oneof(fc.constant(12), count);
const replicas = fc.record({ version, ready: count, wanted: count });
const state = fc.constantFrom(...STATES);
const amount = fc.option(count);
const spec = fc.record({
  version,
  containers: fc.array(fc.tuple(foreign, foreign, amount, amount), { maxLength: 8 }),
  replicas: amount,
});
/** What the platform says, or our own sentence about a container of any name. */
const cause = fc.oneof(
  foreign,
  fc
    .tuple(foreign, foreign)
    .map(([name, reason]) => `container ${name}: 8 restarts (${reason}, memory limit 512 MiB)`),
);
const crash = fc.record({
  container: foreign,
  reason: fc.oneof(foreign, fc.constant('OOMKilled')),
  exitCode: count,
  memory: count,
  restarts: count,
  lastsMs: count,
});
const row: fc.Arbitrary<Row> = fc.record(
  {
    location: foreign,
    state,
    since: fc.constant(NOON),
    cause,
    replicas,
    outgoing: fc.option(replicas),
    readyBeside: count,
    served: fc.constant(true as const),
    spec,
    specBefore: spec,
    crash,
  },
  { requiredKeys: ['location', 'state', 'since', 'cause', 'replicas', 'outgoing'] },
);
const workloadRow = fc.record(
  {
    workload: foreign,
    version: count,
    state,
    cause,
    serves: fc.constantFrom('enough' as const, 'little' as const, 'nothing' as const),
  },
  { requiredKeys: ['workload', 'version', 'state', 'cause'] },
);
/** With a link that names all that there is. */
const PAGE = 'https://logs.example.com/';
const AT = {
  ...WHERE,
  links: [
    { name: 'Logs', template: `${PAGE}{org}/{gvc}/{workload}/{location}?v={version}&from={start}` },
    { name: 'Runs', template: `${PAGE}{gvc}?to={end}` },
  ],
};
const few = <T>(one: fc.Arbitrary<T>) => fc.array(one, { maxLength: 120 });

function textsOf(block: KnownBlock): { text: string; max: number }[] {
  if (block.type === 'section') return [{ text: block.text?.text ?? '', max: LIMITS.sectionText }];
  if (block.type !== 'context') return [];
  return block.elements.map((element) => ({
    text: 'text' in element ? element.text : '',
    max: LIMITS.fieldText,
  }));
}

/** Where the buttons lead. */
function pagesOf(block: KnownBlock): string[] {
  if (block.type !== 'actions') return [];
  return block.elements.flatMap((element) => ('url' in element ? [element.url ?? ''] : []));
}

/** What Slack would refuse, or read as more than text. */
function faultsOf({ text, blocks }: Content): string[] {
  const texts = [{ text, max: LIMITS.messageText }, ...blocks.flatMap(textsOf)];
  const tables = blocks.flatMap((block) => (block.type === 'table' ? [block.rows] : []));
  const cells = tables.flat(2).map((cell) => ('text' in cell ? cell.text : ''));
  const all = texts.reduce((sum, one) => sum + one.text.length, cells.join('').length);
  return [
    ...texts.filter((one) => one.text.length > one.max).map(() => 'a text is too long'),
    ...texts.filter((one) => one.text.trim() === '').map(() => 'a text is empty'),
    ...texts
      .filter((one) => /[<>\u202E]/.test(one.text.replaceAll(/<!date\^[^<>]*>/g, '')))
      .map((one) => `not inert: ${one.text}`),
    ...(blocks.length > LIMITS.messageBlocks ? ['too many blocks'] : []),
    ...(blocks.some(({ block_id: id = '' }) => id.length > LIMITS.blockId) ? ['a long id'] : []),
    ...blocks
      .flatMap(pagesOf)
      .filter((url) => url.length > LIMITS.buttonUrl || !new URL(url).href.startsWith(PAGE))
      .map((url) => `leads to ${url}`),
    ...(tables.length > 1 ? ['more than one table'] : []),
    ...(tables.flat().length > 31 ? ['too many rows'] : []),
    ...(cells.includes('') ? ['an empty cell'] : []),
    ...(all > LIMITS.messageCharacters ? [`${all} characters`] : []),
    ...blocks
      .filter(({ type }) => !['section', 'context', 'table', 'actions'].includes(type))
      .map(({ type }) => `a ${type}`),
  ];
}

/** What is wrong with the first rendering that Slack would not take as it is meant; null when there is none. */
function faultOf<T>(arbitrary: fc.Arbitrary<T>, render: (one: T) => Content[]): string | null {
  const property = fc.property(arbitrary, (one) => {
    const faults = render(one).flatMap(faultsOf);
    if (faults.length > 0) throw new Error(faults.join('; '));
  });
  return fc.defaultReportMessage(fc.check(property, { numRuns: 150 })) ?? null;
}

describe('whatever names and messages are, Slack takes what is said of them', () => {
  const card = cardOfCart();
  const outcome = outcomeOfCart({});

  it('cards', () => {
    expect(
      faultOf(fc.record({ place, workload: foreign, rows: few(row) }), (one) => [
        cardContent(one.place, { ...card, workload: one.workload, rows: one.rows }, AT),
      ]),
    ).toBeNull();
  });

  it('outcomes', () => {
    const kind = fc.constantFrom(...KINDS);
    const story = { place, workload: foreign, rows: few(row), kind, broadcast: fc.boolean() };
    expect(
      faultOf(fc.record(story), ({ broadcast, rows, ...one }) => [
        outcomeContent(
          one.place,
          {
            ...outcome,
            workload: one.workload,
            rows,
            outcome: {
              kind: one.kind,
              n: 1,
              locations: rows.map(({ location }) => location),
              ...(broadcast ? { broadcast } : {}),
            },
          },
          AT,
        ),
      ]),
    ).toBeNull();
  });

  it('locations', () => {
    const what = fc.constantFrom('later' as const, 'elsewhere' as const, 'back' as const);
    expect(
      faultOf(
        fc.record({ place, location: foreign, rows: few(workloadRow), what, closes: fc.boolean() }),
        (one) => {
          const ref = { location: one.location, state: 'failed' as const, n: 1 };
          const { what: how, closes, location } = one;
          const closed = closes ? NOON : null;
          const news = limaFailed({ ref, rows: one.rows, closedAt: closed });
          const workloads = one.rows.map(({ workload }) => workload);
          const own = reply({ what: how, closes, location, workloads });
          return [
            locationContent(one.place, news, one.rows, AT),
            locationReplyContent(one.place, news, own),
          ];
        },
      ),
    ).toBeNull();
  });

  it('GVCs and jobs', () => {
    const gvcRow = fc.record({
      workload: foreign,
      version: count,
      state,
      ready: count,
      wanted: count,
    });
    expect(
      faultOf(
        fc.record({ place, rows: few(gvcRow), name: foreign, message: foreign, at: foreign }),
        (one) => [
          gvcCardContent(one.place, gvcNews({ rows: one.rows }), false, AT),
          gvcReadyContent(one.place, gvcNews({ rows: one.rows }), AT),
          gvcGoneContent(
            one.place,
            { version: 7 },
            one.rows.map(({ workload }) => workload),
          ),
          jobContent(
            one.place,
            jobFailed({
              workload: one.name,
              execution: one.name,
              location: one.at,
              message: one.message,
            }),
            AT,
          ),
        ],
      ),
    ).toBeNull();
  });
});
