import { stateShown, type Moment, type State } from './record.ts';

/** One location of a workload on its card. */
export interface Row {
  state: State | 'waiting';
  moment: Moment;
  /** Ready replicas of the version that it stands at, as it last said. */
  ready: number;
  /** This rollout was ready here, by now. */
  wasReady: boolean;
  /** It is held by what does not pass by itself, and has been for three minutes. */
  held: boolean;
  blocked: boolean;
}

/** A workload at one poll. */
export interface Scene {
  at: number;
  /** The newest expected version over its locations; 0 while none is stated. */
  E: number;
  /** The rollout of E begins with this poll. */
  begins: boolean;
  /** Its rollout is taken as it is: at the first poll, or because the location that led has gone. */
  found: boolean;
  rows: ReadonlyMap<string, Row>;
  /** Records of any version that are no longer listed, and those that went with this poll. */
  gone: string[];
  went: string[];
  /** Every location in play is ready at E, and one is or was. */
  holds: boolean;
}

const OUT_OF_PLAY = ['suspended', 'idle', 'gone'];

/** @param records all moments of the workload's records by location, the last ones of this poll */
export function sceneOf(
  before: readonly Scene[],
  records: ReadonlyMap<string, readonly Moment[]>,
  at: number,
  adopted: boolean,
): Scene {
  const now = [...records]
    .map(([location, moments]) => ({ location, moments, moment: moments.at(-1) as Moment }))
    .filter(({ moment }) => !moment.cron)
    .toSorted((a, b) => (a.location < b.location ? -1 : 1));
  const listed = now
    .filter(({ moment }) => moment.state !== 'gone' && moment.E !== 0)
    .map(({ moment }) => moment.E);
  const last = before.at(-1);
  const E = listed.length === 0 ? (last?.E ?? 0) : Math.max(...listed);
  const begins = E !== (last?.E ?? 0);
  const rows = new Map<string, Row>();
  for (const { location, moments, moment } of now) {
    // What left before the version came is no part of it.
    if (moment.state === 'gone' && moment.E < E) continue;
    const wasReady = moment.E === E && readyInRollout(moments);
    const state = shown(moment, E);
    const held = moment.heldSince !== undefined && state !== 'waiting';
    const seen = moments.findLast((one) => one.view !== undefined);
    const ready = seen?.view?.entry?.replicasReady ?? 0;
    const blocked = held && moment.blocked;
    rows.set(location, { state, moment, ready, wasReady, held, blocked });
  }
  const shows = now.some(({ moment }) => moment.newE && moment.E === E && !moment.adopted);
  const found = begins && (adopted || !shows);
  const gone = now.filter(({ moment }) => moment.state === 'gone').map(({ location }) => location);
  const went = gone.filter((location) => last?.gone.includes(location) === false);
  return { at, E, begins, found, rows, gone, went, holds: holds([...rows.values()]) };
}

function readyInRollout(moments: readonly Moment[]): boolean {
  const rollout = moments.slice(moments.findLastIndex((one) => one.begins));
  return rollout.some((one) => one.state === 'ready');
}

/** Where no version was ever stated, there is none to wait for. */
function shown(moment: Moment, E: number): Row['state'] {
  const tellsItself = ['stale', 'suspended', 'gone'].includes(moment.state) || moment.E === 0;
  return moment.E === E || tellsItself ? stateShown(moment) : 'waiting';
}

function holds(rows: readonly Row[]): boolean {
  const inPlay = rows.filter(({ state }) => !OUT_OF_PLAY.includes(state));
  const there = rows.filter(({ state }) => state !== 'gone');
  if (there.length === 0) return false;
  return inPlay.every(({ state }) => state === 'ready') && rows.some(({ wasReady }) => wasReady);
}
