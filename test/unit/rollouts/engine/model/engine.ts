import type { DeploymentList } from '../../../../../src/platform/deployments/deployment.ts';
import {
  createListScanner,
  readPage,
  type ListTexts,
} from '../../../../../src/platform/deployments/client.ts';
import {
  advance,
  EMPTY_STATE,
  type Advance,
  type GvcState,
} from '../../../../../src/rollouts/engine/advance.ts';
import {
  lazyRecordListOf,
  recordListOf,
  type RecordList,
} from '../../../../../src/rollouts/engine/facts.ts';
import type { Settled } from '../../../../../src/rollouts/engine/list-memory.ts';
import type {
  Notice,
  OutcomeRef,
  RolloutNotice,
} from '../../../../../src/rollouts/engine/notices.ts';
import { changesOf, stateOf } from '../../../../../src/rollouts/gvc-store.ts';
import type { Incident } from './incidents.ts';
import type { Poll } from './model.ts';

/** What happens around the steps of the engine; none of it may change what is told. */
export interface Circumstances {
  /** The state is stored and read between any two polls. */
  restarts?: boolean;
  /** Items are read only where they may matter, and what is settled not again. */
  lazy?: boolean;
}

/** What the watch engine tells of each poll, in the lines of the model. */
export function engine(
  polls: readonly Poll[],
  { restarts = false, lazy = false }: Circumstances = {},
): string[][] {
  const settled: Settled | undefined = lazy ? new Map() : undefined;
  const seen = lazy ? createEyes() : undefined;
  const opened = new Set<string>();
  let state = EMPTY_STATE;
  return polls.map(({ at, answer, isGone }) => {
    const list = seen === undefined ? read(answer) : seen(answer);
    const step = advance(state, answered(list, state, isGone), at, settled);
    state = restarts ? storedAndRead(step.state) : step.state;
    const lines = linesOf(step).filter((one) => !opened.has(one));
    for (const one of lines) if (one.startsWith('open')) opened.add(one);
    return lines.toSorted();
  });
}

/** The locations that are or were in trouble after each poll. */
export function incidentsOf(polls: readonly Poll[]): Incident[][] {
  const known = new Map<string, Incident>();
  let state = EMPTY_STATE;
  return polls.map(({ at, answer, isGone }) => {
    const step = advance(state, answered(read(answer), state, isGone), at);
    ({ state } = step);
    for (const one of step.notices) {
      if (one.kind !== 'location') continue;
      const { ref, rows, closedAt } = one;
      const id = `${ref.location}/${ref.state}/${ref.n}`;
      const members = rows.map(({ workload }) => workload);
      known.set(id, { id, location: ref.location, closedAt, members });
    }
    return [...known.values()];
  });
}

function storedAndRead(state: GvcState): GvcState {
  return stateOf(changesOf(EMPTY_STATE, state).set);
}

/** What each poll of the engine still tells when its list has been given twice before. */
export function echoes(polls: readonly Poll[]): string[][] {
  let state = EMPTY_STATE;
  return polls.map(({ at, answer, isGone }) => {
    const again = (before: GvcState): Advance =>
      advance(before, answered(read(answer), before, isGone), at);
    const first = again(state);
    state = first.state;
    return linesOf(again(again(first.state).state));
  });
}

function read(answer: unknown): RecordList {
  const list: DeploymentList = { deployments: [], unreadable: [], unidentified: 0 };
  readPage(answer, undefined, list);
  return recordListOf(list);
}

/** The platform is asked for a workload when the list before was empty, too. */
function answered(list: RecordList, { meta }: GvcState, isGone = false): RecordList {
  return isGone && typeof meta?.emptySince === 'number' ? { ...list, gone: true } : list;
}

/** Each list is held against the one before. */
function createEyes(): (answer: unknown) => RecordList {
  let last: ListTexts | undefined;
  return (answer) => {
    const looker = createListScanner(last);
    looker.scan(Buffer.from(JSON.stringify(answer)));
    last = looker.texts();
    return lazyRecordListOf(looker.list);
  };
}

/** Without the edits of cards, whose words are another matter. */
function linesOf({ rolloutNotices, notices: news }: Advance): string[] {
  return [...rolloutNotices.map(line), ...news.flatMap(newsLines)].filter(
    (one) => !one.startsWith('edit'),
  );
}

function line({ workload, version, card, outcome, opens }: RolloutNotice): string {
  const word = outcome?.kind ?? 'card';
  const n = outcome?.n ?? card;
  const key = `${workload}/${version}/${word}${n > 1 ? `/${n}` : ''}`;
  if (outcome === undefined) return `${opens ? 'open' : 'edit'} ${key}`;
  const { locations, covers = [], settled } = outcome;
  const named = covers.map((ref) => (ref.n > 1 ? `${ref.kind}/${ref.n}` : ref.kind));
  const standsFor = named.length === 0 ? '' : ` for ${named.join(' ')}`;
  const end = settled === undefined ? '' : ', settled';
  return `${key} in ${locations.join(', ')}${standsFor}${end}`;
}

function newsLines(news: Notice): string[] {
  switch (news.kind) {
    case 'gvc-gone':
      return [[`@gvc/${news.version}/gone`, ...news.covers.map(keyOf).toSorted()].join(' ')];
    case 'job':
      return [`${news.workload}/@job/${news.location}/${news.execution}/${news.status}`];
    case 'gvc':
      return [
        ...(news.opens ? [`open @gvc/${news.version}/card`] : []),
        ...(news.tellsReady ? [`@gvc/${news.version}/ready`] : []),
      ];
    case 'location':
      // Which message tells an outcome is another matter; the outcomes stay what they are.
      return [];
  }
}

function keyOf({ workload, version, kind, n }: OutcomeRef): string {
  return `${workload}/${version}/${kind}${n > 1 ? `/${n}` : ''}`;
}
