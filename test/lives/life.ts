import type { PlayLine } from '../../src/rollouts/play.ts';
import { plan } from './happenings.ts';
import { cronItemOf, cronPrintOf } from './jobs.ts';
import { isStale, type Site } from './site.ts';
import { itemOf, printOf, staleItemOf, timeAt } from './status.ts';
import { MINUTES, newTrack, note, type Track } from './track.ts';
import { createWorld, tick, type Gvc, type Workload, type World } from './world.ts';

/** Six hours of an org: the answers of the platform, and the truth behind them. */
export interface Life {
  readonly seed: number;
  readonly lines: readonly PlayLine[];
  readonly tracks: readonly Track[];
  /** By GVC, whether its list was read in that minute. */
  readonly seen: ReadonlyMap<string, Uint8Array>;
}

/** A span of minutes, the end not included. */
interface Span {
  readonly from: number;
  readonly to: number;
}

interface Scene {
  readonly world: World;
  readonly lines: PlayLine[];
  readonly tracks: Map<Site, Track>;
  readonly seen: Map<string, Uint8Array>;
  /** The latest item of each record, and the latest list of each GVC. */
  readonly items: Map<string, Listed>;
  readonly sent: Map<string, readonly unknown[]>;
  /** The bot is away, the API fails, lists are cut. */
  readonly away: Span | undefined;
  readonly failing: Span | undefined;
  readonly cut: Span & { readonly nameless: boolean };
}

/** The same for the same seed. */
export function lifeOf(seed: number): Life {
  const world = createWorld(seed);
  const { dice } = world;
  const from = dice.chance(0.3) ? -90 : 0;
  plan(world, from, MINUTES);
  const away = spanOf(world, 0.15, [2, 10, 30, 60]);
  const failing = spanOf(world, 0.15, [1, 3, 5, 15]);
  const cutAt = dice.chance(0.1) ? dice.between(1, MINUTES - 10) : Infinity;
  const nameless = dice.chance(0.5);
  const cut = { from: cutAt, to: cutAt + (nameless ? dice.between(1, 4) : 1), nameless };
  const scene: Scene = {
    world,
    lines: [],
    tracks: new Map(),
    seen: new Map(world.gvcs.map(({ name }) => [name, new Uint8Array(MINUTES + 1)])),
    items: new Map(),
    sent: new Map(),
    away,
    failing,
    cut,
  };
  for (let now = from; now <= MINUTES; now += 1) {
    tick(world, now);
    if (now >= 0) record(scene, now);
  }
  return { seed, lines: scene.lines, tracks: [...scene.tracks.values()], seen: scene.seen };
}

function spanOf(
  { dice }: World,
  probability: number,
  lengths: readonly number[],
): Span | undefined {
  const from = dice.between(5, MINUTES - 70);
  const to = from + dice.pick(lengths as [number, ...number[]]);
  return dice.chance(probability) ? { from, to } : undefined;
}

function isIn(span: Span | undefined, now: number): boolean {
  return span !== undefined && now >= span.from && now < span.to;
}

/** Notes the truth of this minute, and the lines that it takes. */
function record(scene: Scene, now: number): void {
  const { world, away, lines, tracks } = scene;
  for (const workload of world.workloads) {
    for (const site of workload.sites) {
      const track = tracks.get(site) ?? trackOf(world, workload, site);
      tracks.set(site, track);
      note(track, site, now);
    }
  }
  if (away?.to === now) lines.push({ at: timeAt(now), do: 'restart' });
  for (const gvc of world.gvcs) send(scene, gvc, now);
}

function trackOf({ org }: World, { gvc, kind }: Workload, { workload, location }: Site): Track {
  return newTrack({ org, gvc: gvc.name, workload, location, cron: kind === 'cron' });
}

/** An item, and a text that is the same as long as the item is. */
interface Listed {
  readonly print: string;
  readonly item: unknown;
}

function send(scene: Scene, gvc: Gvc, now: number): void {
  const { world, lines, seen, sent, away, failing, cut } = scene;
  const place = { at: timeAt(now), org: world.org, gvc: gvc.name };
  // The last line before a restart is when the bot went away.
  if (isIn(away, now) && away?.from !== now) return;
  const all = itemsOf(scene, gvc, now);
  if (isIn(failing, now)) {
    if (sent.get(gvc.name) !== undefined) lines.push({ ...place, status: 503 });
    sent.delete(gvc.name);
    return;
  }
  const minutes = seen.get(gvc.name);
  // A list that is suddenly empty proves nothing.
  if (minutes !== undefined && all.length > 0) minutes[now] = 1;
  const isCut = isIn(cut, now);
  const items = (isCut ? all.filter((_, index) => index % 2 === 0) : all).map(({ item }) => item);
  if (isCut && cut.nameless) items.push(NAMELESS);
  const isForced = away?.from === now || now === MINUTES;
  if (!isForced && areSame(sent.get(gvc.name), items)) return;
  sent.set(gvc.name, items);
  lines.push({ ...place, items });
}

/** It lacks the link to its workload. */
const NAMELESS = { kind: 'deployment', name: 'oslo', links: [] };

function areSame(before: readonly unknown[] | undefined, items: readonly unknown[]): boolean {
  return before?.length === items.length && items.every((item, index) => item === before[index]);
}

function itemsOf(scene: Scene, gvc: Gvc, now: number): Listed[] {
  const { world, items } = scene;
  const { org, dialect } = world;
  const own = world.workloads.filter((one) => one.gvc === gvc && !one.deleted);
  return own.flatMap((workload) => {
    const { name, jobs, zones, sites } = workload;
    const remembered = (location: string, print: string, make: () => unknown): Listed => {
      const key = `${name}/${location}`;
      const before = items.get(key);
      const listed = before?.print === print ? before : { print, item: make() };
      items.set(key, listed);
      return listed;
    };
    if (workload.kind === 'cron') {
      const path = `/org/${org}/gvc/${gvc.name}/workload/${name}`;
      const about = { path, dialect, now };
      return jobs.map((job) =>
        remembered(job.location, cronPrintOf(job, now), () =>
          cronItemOf(workload, { ...about, job }),
        ),
      );
    }
    return sites
      .filter(({ listed }) => listed)
      .map((site) => {
        const before = items.get(`${name}/${site.location}`);
        if (site.lostAt !== undefined && before !== undefined) {
          if (!isStale(site, now)) return before;
          return remembered(site.location, 'stale', () => staleItemOf(before.item));
        }
        return remembered(site.location, printOf(site, now), () =>
          itemOf(site, { org, gvc: gvc.name }, { dialect, zones, now }),
        );
      });
  });
}
