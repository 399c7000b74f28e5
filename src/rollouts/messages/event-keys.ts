import type { JobNews, LocationRef, OutcomeRef, Telling } from '../engine/telling.ts';
import type { OutcomeKind } from '../engine/track.ts';

/** The GVC that something is told of. */
export interface Place {
  org: string;
  gvc: string;
}

/** Key of the card of a telling (this and all below: design section 4, fixed). */
export function cardKey(
  place: Place,
  telling: Pick<Telling, 'workload' | 'version' | 'card'>,
): string {
  return keyOf(place, telling, 'card', telling.card);
}

/** Key of an outcome of a workload's version. */
export function outcomeKey(
  place: Place,
  telling: Pick<OutcomeRef, 'workload' | 'version'>,
  kind: OutcomeKind,
  n: number,
): string {
  return keyOf(place, telling, kind, n);
}

/** The same of an outcome that another message stands for. */
export function keyOfOutcome(place: Place, ref: OutcomeRef): string {
  return keyOf(place, ref, ref.kind, ref.n);
}

function keyOf(
  place: Place,
  { workload, version }: Pick<OutcomeRef, 'workload' | 'version'>,
  word: string,
  n: number,
): string {
  const base = `${gvcOf(place)}/${workload}/${version}/${word}`;
  return n > 1 ? `${base}/${n}` : base;
}

/** Key of a message about a location, or of a reply to it. */
export function locationKey(place: Place, { location, state, n }: LocationRef): string {
  return `${gvcOf(place)}/@location/${location}/${state}/${n}`;
}

/** Key of what is told of a GVC's version as a whole. */
export function gvcKey(place: Place, version: number, word: 'card' | 'ready' | 'gone'): string {
  return `${gvcOf(place)}/@gvc/${version}/${word}`;
}

export function jobKey(place: Place, job: JobNews): string {
  return `${gvcOf(place)}/${job.workload}/@job/${job.location}/${job.execution}/${job.status}`;
}

/** More than a kind is ever told, so that a continuation never takes the number of something else. */
const CONTINUATION = 1_000_000;

/**
 * Key of the `index`-th reply (from 1) that goes on with the `covers` of a message: its own key under
 * a number of its own, a million higher each. `…/failed/3` goes on in `…/failed/1000003`.
 */
export function continuationKey(key: string, index: number): string {
  const [, base = key, n = '1'] = /^(.*?)(?:\/(\d+))?$/s.exec(key) ?? [];
  return `${base}/${index * CONTINUATION + Number(n)}`;
}

function gvcOf({ org, gvc }: Place): string {
  return `${org}/${gvc}`;
}
