import type { RecordMemory } from './engine/classify.ts';
import type { Replicas } from './engine/facts.ts';
import type { Track } from './engine/track.ts';

/**
 * Every member of a thing with what it mostly is. The texts hold values without names, in this order,
 * and leave out those at the end that are what they mostly are: ten thousand records rest in Redis for
 * months, and their names would be most of it. A new member goes to the end.
 */
type Layout<T> = { readonly [K in keyof T]-?: T[K] | undefined };

type Triple = [version: number, ready: number, wanted: number];
interface StoredRecord extends Omit<RecordMemory, 'replicas' | 'outgoing'> {
  replicas: Triple;
  outgoing: Triple | null;
}

const RECORDS = codecOf<StoredRecord>({
  state: 'ready',
  since: 0,
  version: 0,
  gvc: 0,
  wasReady: false,
  wanted: null,
  replicas: [0, 0, 0],
  outgoing: null,
  cron: false,
  notReady: false,
  restarts: 0,
  missing: 0,
  cause: '',
  climbs: [],
  jobs: [],
  grace: null,
  wasDown: undefined,
  heldUpSince: undefined,
  crash: undefined,
  atRest: undefined,
  readyAtNone: undefined,
  counts: undefined,
});

const TRACKS = codecOf<Track>({
  version: 0,
  print: '',
  ending: null,
  announced: false,
  ready: false,
  startedAt: null,
  readyAt: null,
  told: {},
  said: {},
  wakeAt: null,
  lostAt: undefined,
  late: {},
  asleep: [],
  left: {},
  changes: [],
  flapping: null,
  forgotten: undefined,
  readyIsCard: undefined,
});

/** What is remembered of a record, as it is stored. */
export function recordText(record: RecordMemory): string {
  const { replicas, outgoing, ...rest } = record;
  const stored = {
    ...rest,
    replicas: tripleOf(replicas),
    outgoing: outgoing && tripleOf(outgoing),
  };
  return RECORDS.write(stored);
}

/** @throws SyntaxError */
export function recordOf(text: string): RecordMemory {
  const { replicas, outgoing, ...rest } = RECORDS.read(text);
  return { ...rest, replicas: replicasOf(replicas), outgoing: outgoing && replicasOf(outgoing) };
}

/** The rollout of a workload, as it is stored. */
export function trackText(track: Track): string {
  return TRACKS.write(track);
}

/** @throws SyntaxError */
export function trackOf(text: string): Track {
  return TRACKS.read(text);
}

function tripleOf({ version, ready, wanted }: Replicas): Triple {
  return [version, ready, wanted];
}

function replicasOf([version, ready, wanted]: Triple): Replicas {
  return { version, ready, wanted };
}

interface Codec<T> {
  write(value: T): string;
  /** @throws SyntaxError */
  read(text: string): T;
}

function codecOf<T extends object>(layout: Layout<T>): Codec<T> {
  const names = Object.keys(layout) as (keyof T & string)[];
  const usual = names.map((name) => JSON.stringify(layout[name] ?? null));
  const isOptional = names.map((name) => layout[name] === undefined);
  return {
    write(value) {
      const texts = names.map((name) => JSON.stringify(value[name] ?? null));
      const last = texts.findLastIndex((text, place) => text !== usual[place]);
      return `[${texts.slice(0, last + 1).join(',')}]`;
    },
    read(text) {
      const stored = JSON.parse(text) as unknown[];
      const value: Partial<Record<keyof T, unknown>> = {};
      for (const [place, name] of names.entries()) {
        const member: unknown =
          place < stored.length ? stored[place] : JSON.parse(usual[place] ?? 'null');
        if (member !== null || isOptional[place] !== true) value[name] = member;
      }
      return value as T;
    },
  };
}
