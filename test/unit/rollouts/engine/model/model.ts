import { effectiveState } from '../../../../../src/rollouts/engine/classify.ts';
import type { RecordMemory } from '../../../../../src/rollouts/engine/classify.ts';
import { workloadOf } from '../../../../../src/rollouts/engine/rollout.ts';
import { THREAD_ONLY } from '../../../../../src/rollouts/engine/states.ts';
import { recordsOf } from '../gvc-scenario.ts';
import type { Listed, Step } from '../gvc-scenario.ts';
import { tellOf } from './outcomes.ts';
import type { Told } from './outcomes.ts';
import { MINUTE, OUT_OF_PLAY, sceneOf } from './scene.ts';
import type { Scene } from './scene.ts';

type GvcRecords = Readonly<Record<string, RecordMemory>>;

/** A card of the GVC, opened by one of its versions. */
interface Card {
  version: number;
  openedAt: number;
  /** It was told to be ready, or there is nothing left of it. */
  over: boolean;
}

/**
 * What each poll tells, in lines, sorted: a second opinion from all that was ever seen, without what the
 * engine remembers of rollouts. The states of the records are given, and so is what is told by messages
 * about locations: others hold these.
 */
export function model(steps: readonly Step[]): string[][] {
  const scenes = new Map<string, Scene[]>();
  const log = new Map<string, Told[]>();
  const cards: Card[] = [];
  const ended: number[] = [-1];
  return steps.map((step, index) => {
    if (isSilent(steps, index)) return [];
    const { now: at, after, before } = step;
    const workloads = [...new Set(Object.keys(after.records).map(workloadOf))];
    const told = workloads.flatMap((workload) => {
      const past = scenes.get(workload) ?? [];
      const own = recordsOf(after, workload);
      const isAdopted = (location: string): boolean =>
        isAdoptedAt(steps, index, `${workload}/${location}`);
      const now = [...past, sceneOf(past, own, at, isAdopted)];
      scenes.set(workload, now);
      const known = log.get(workload) ?? [];
      const tells = tellOf(now, known, (scene) => isToldWhole(steps, scene.at, workload));
      log.set(workload, [...known, ...tells]);
      return tells.filter(({ hidden }) => !hidden).map((one) => ({ ...one, workload }));
    });
    const records = Object.values(after.records);
    const version = Math.max(...records.map(({ gvc }) => gvc));
    const isEnd = allGone(after.records) && !allGone(before.records) && index > 0;
    const whole = isEnd && version > Math.max(...ended);
    if (whole) ended.push(version);
    const isOfIt = ({ kind, opens }: Told): boolean => whole && kind === 'gone' && opens;
    const covers = told.filter(isOfIt).map(keyOf).toSorted();
    return [
      ...told.filter((one) => !isOfIt(one)).map(lineOf),
      ...(whole ? [[`@gvc/${version}/gone`, ...covers].join(' ')] : []),
      ...tellOfGvc(step, cards, index === 0),
      ...jobs(steps, index),
    ].toSorted();
  });
}

type Keyed = Pick<Told, 'E' | 'kind' | 'n'> & { workload: string };

export function keyOf({ workload, E, kind, n }: Keyed): string {
  return `${workload}/${E}/${kind}/${n}`;
}

export function lineOf(told: Keyed & Pick<Told, 'locations' | 'covers' | 'settled'>): string {
  const { locations, covers, settled } = told;
  return [keyOf(told), ...locations, ...covers, ...(settled ? ['settled'] : [])].join(' ');
}

/** A list that is suddenly empty is no news, until a workload that was known is not found either. */
function isSilent(steps: readonly Step[], index: number): boolean {
  const { gone, before } = steps[index] as Step;
  const isEmpty = (at: number): boolean =>
    Object.values(steps[at]?.listing ?? {}).every((listed) => listed === 'absent');
  const wasThere = Object.values(before.records).some(({ state }) => state !== 'gone');
  return isEmpty(index) && wasThere && !(gone && isEmpty(index - 1));
}

/** It was listed in all polls before, and none could read it: what it is now is found as at the first. */
function isAdoptedAt(steps: readonly Step[], index: number, key: string): boolean {
  return steps.slice(0, index).every(({ listing }) => listing[key] === 'unreadable');
}

/** Messages about locations tell all that a poll brought of a workload. */
function isToldWhole(steps: readonly Step[], at: number, workload: string): boolean {
  const { rolloutNotices, before } = steps.findLast(({ now }) => now === at) as Step;
  const told = rolloutNotices.flatMap((one) => {
    if (one.workload !== workload || one.outcome === undefined) return [];
    const { kind, n, by } = one.outcome;
    const count = before.rollouts[workload]?.told[`${one.version}/${kind}`] ?? 0;
    return [{ by, isOwn: by === undefined && n > count && !THREAD_ONLY.has(kind) }];
  });
  return told.some(({ by }) => by !== undefined) && !told.some(({ isOwn }) => isOwn);
}

function allGone(records: GvcRecords): boolean {
  const all = Object.values(records);
  return all.length > 0 && all.every(({ state }) => state === 'gone');
}

/** Executions that have ended badly and were never seen so. */
function jobs(steps: readonly Step[], index: number): string[] {
  return Object.keys(steps[index]?.listing ?? {}).flatMap((key) => {
    const known = steps.slice(0, index).flatMap(({ listing }) => badEnds(listing[key]));
    const news = badEnds(steps[index]?.listing[key]).filter((end) => !known.includes(end));
    return isAdoptedAt(steps, index, key)
      ? []
      : news.map((end) => `${key.replace('/', '/@job/')}/${end}`);
  });
}

function badEnds(listed: Listed): string[] {
  const runs = typeof listed === 'object' ? (listed['jobExecutions'] ?? []) : [];
  return (runs as { name: string; status: string }[])
    .filter(({ status }) => status === 'failed')
    .map(({ name, status }) => `${name}/${status}`);
}

/**
 * What a poll tells of the GVC's own rollout, in lines (ADR 11, "GVC").
 * @param cards those opened before; one that opens is added
 */
function tellOfGvc({ before, after, now }: Step, cards: Card[], adopting: boolean): string[] {
  if (adopting) return [];
  const all = Object.entries(after.records).filter(
    ([, { cron, state }]) => !cron && state !== 'gone',
  );
  const rerolled = all.filter(([key, { version, gvc }]) => {
    const was = before.records[key];
    return (
      was !== undefined &&
      was.version === version &&
      version !== 0 &&
      was.gvc !== 0 &&
      gvc > was.gvc
    );
  });
  const version = Math.max(0, ...rerolled.map(([, { gvc }]) => gvc));
  const lines: string[] = [];
  if (version > Math.max(0, ...cards.map((card) => card.version))) {
    cards.push({ version, openedAt: now, over: false });
    lines.push(`open @gvc/${version}/card`);
  }
  const card = cards.at(-1);
  if (card === undefined || card.over) return lines;
  // A workload that stays under a lower version is waited for ten minutes.
  const late = now - card.openedAt >= 10 * MINUTE;
  const rows = all
    .map(([, record]) => record)
    .filter(({ gvc }) => gvc !== 0 && !(late && gvc < card.version));
  const inPlay = rows.filter((row) => !OUT_OF_PLAY.includes(effectiveState(row)));
  const isUp = inPlay.every(({ state, gvc }) => state === 'ready' && gvc >= card.version);
  const ready = inPlay.length > 0 && isUp;
  if (ready) lines.push(`@gvc/${card.version}/ready`);
  card.over = ready || rows.length === 0;
  return lines;
}
