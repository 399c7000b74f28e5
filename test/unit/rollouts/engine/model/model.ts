import { tellOfGvc, type Card } from './gvc.ts';
import type { Around, Incident } from './incidents.ts';
import { tellOf, type Told } from './outcomes.ts';
import { readList, type List } from './read.ts';
import { look, type Moment } from './record.ts';
import { sceneOf, type Scene } from './scene.ts';

/** One poll: the list as the platform sends it, and when. */
export interface Poll {
  at: number;
  answer: Record<string, unknown>;
  /** Asked for a workload that was known, the platform answers that there is none. */
  isGone?: boolean;
}

const TEN_MINUTES = 600_000;

/** Everything that was ever seen of a GVC. */
interface History {
  records: Map<string, Moment[]>;
  scenes: Map<string, Scene[]>;
  told: Map<string, Told[]>;
  /** The GVC versions with which the end of the whole GVC was told. */
  ended: number[];
  cards: Card[];
}

/**
 * What each poll tells, in lines, sorted.
 * @param incidents the locations in trouble so far, by poll; none where there are too few workloads
 */
export function model(
  polls: readonly Poll[],
  incidents: readonly (readonly Incident[])[] = [],
): string[][] {
  const history: History = {
    records: new Map(),
    scenes: new Map(),
    told: new Map(),
    ended: [],
    cards: [],
  };
  const lists = polls.map(({ answer }) => readList(answer));
  let empties = 0;
  return polls.map(({ at, isGone }, index) => {
    const list = lists[index] as List;
    const present = [...history.records.values()].some((past) => past.at(-1)?.state !== 'gone');
    const empty = list.views.size + list.unreadable.size === 0;
    empties = empty && present ? empties + 1 : 0;
    const ends = empties >= 2 && isGone === true;
    if (empties > 0 && !ends) return [];
    const adopted = index === 0;
    const found = [...list.views.keys()].filter((key) => adopted || unreadTill(lists, index, key));
    const proves = at - (polls[oddSince(lists, index)] as Poll).at >= TEN_MINUTES;
    lookAt(history.records, list, at, { found, proves, ends });
    return [
      ...tellAll(history, at, {
        adopted,
        after: incidents[index] ?? [],
        before: incidents[index - 1] ?? [],
      }),
      ...tellOfGvc(history.records, history.cards, { at, adopted }),
      ...jobs(history.records),
    ].toSorted();
  });
}

/** It was listed in all polls before, and none could read it: what it is now is found as at the first. */
function unreadTill(lists: readonly List[], index: number, key: string): boolean {
  return lists.slice(0, index).every(({ unreadable }) => unreadable.has(key));
}

/** The poll since which there are as many items as now that do not say who they are. */
function oddSince(lists: readonly List[], index: number): number {
  const count = lists[index]?.unidentified;
  return lists.slice(0, index).findLastIndex(({ unidentified }) => unidentified !== count) + 1;
}

function lookAt(
  records: History['records'],
  list: List,
  at: number,
  { found, proves, ends }: { found: readonly string[]; proves: boolean; ends: boolean },
): void {
  const absent = list.unidentified === 0 || proves ? 'absent' : 'unproven';
  const lacking = ends ? 'gone' : absent;
  for (const key of new Set([...records.keys(), ...list.views.keys()])) {
    const past = records.get(key) ?? [];
    const now = list.unreadable.has(key) ? 'unreadable' : (list.views.get(key) ?? lacking);
    records.set(key, [...past, look(past, now, at, found.includes(key))]);
  }
}

function tellAll(
  history: History,
  at: number,
  { adopted, after, before: earlier }: Omit<Around, 'workload'> & { adopted: boolean },
): string[] {
  const { records, scenes, told, ended } = history;
  const workloads = [...new Set([...records.keys()].map((key) => key.split('/')[0] ?? ''))];
  const wentNow: string[] = [];
  const lines = workloads.toSorted().flatMap((workload) => {
    const own = new Map(
      [...records]
        .filter(([key]) => key.startsWith(`${workload}/`))
        .map(([key, past]) => [key.slice(workload.length + 1), past]),
    );
    const before = scenes.get(workload) ?? [];
    const now = [...before, sceneOf(before, own, at, adopted)];
    scenes.set(workload, now);
    const log = told.get(workload) ?? [];
    const tells = tellOf(now, log, { workload, after, before: earlier });
    told.set(workload, [...log, ...tells]);
    wentNow.push(...tells.filter(isEnd).map((one) => line(workload, one)));
    return tells.filter(({ hidden }) => !hidden).map((one) => line(workload, one));
  });
  const version = endsWith([...records.values()]);
  if (version === undefined || version <= Math.max(-1, ...ended)) return lines;
  ended.push(version);
  const keys = wentNow.map((one) => one.split(' ')[0] ?? '').toSorted();
  return [
    ...lines.filter((one) => !wentNow.includes(one)),
    [`@gvc/${version}/gone`, ...keys].join(' '),
  ];
}

/** Executions that have ended badly since the list of them was seen last. */
function jobs(records: History['records']): string[] {
  return [...records].flatMap(([key, past]) => {
    if (past.at(-1)?.adopted === true) return [];
    const [workload, location] = key.split('/');
    const before = past.slice(0, -1).findLast(({ view }) => view?.executions !== undefined);
    const known = badEnds(before);
    return badEnds(past.at(-1))
      .filter((end) => !known.includes(end))
      .map((end) => `${workload}/@job/${location}/${end}`);
  });
}

function badEnds(moment: Moment | undefined): string[] {
  return (moment?.view?.executions ?? [])
    .filter(({ status }) => status === 'failed' || status === 'invalid')
    .map(({ name, status }) => `${name}/${status}`);
}

function isEnd({ kind, opens, hidden }: Told): boolean {
  return kind === 'gone' && opens && !hidden;
}

/** The highest GVC version that was seen, in the poll in which the last record of the GVC goes. */
function endsWith(records: readonly (readonly Moment[])[]): number | undefined {
  const gone = (back: number): boolean =>
    records.every((past) => past.length < back || past.at(-back)?.state === 'gone');
  if (records.length === 0 || !gone(1) || gone(2)) return undefined;
  return Math.max(...records.map((past) => past.at(-1)?.gvc ?? 0));
}

function line(workload: string, { E, kind, n, locations, covers, settled }: Told): string {
  const key = `${workload}/${E}/${kind}${n > 1 ? `/${n}` : ''}`;
  if (kind === 'card') return `open ${key}`;
  const standsFor = covers.length === 0 ? '' : ` for ${covers.join(' ')}`;
  return `${key} in ${locations.join(', ')}${standsFor}${settled ? ', settled' : ''}`;
}
