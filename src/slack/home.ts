import type { HomeView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../lib/clock.ts';
import { settledWithin } from '../lib/patience.ts';
import { Refusal } from '../lib/refusal.ts';
import { scrubStrings } from '../lib/scrub.ts';
import type { Scrub } from '../lib/scrub.ts';
import { guarded } from './guard.ts';
import type { GuardDeps } from './guard.ts';
import { homeView, refusedHome } from './home-view.ts';
import type { HomePart, Person } from './routes.ts';

export interface HomeDeps extends GuardDeps {
  client: WebClient;
  parts: readonly HomePart[];
  /** Who may use the bot at all. @throws Refusal */
  admit: (person: Person) => Promise<void>;
  /** What leaves the process has no secret in it. */
  scrub: Scrub;
  clock: Clock;
  /** How long one part is waited for, in milliseconds (35 s). */
  partMs?: number;
}

/** The home tabs of all people. */
export interface Home {
  /**
   * Shows a person their home tab, at once with what is known and again as its parts come. Whoever
   * opens it while it is being filled in gets that one. Never rejects; what fails is logged.
   */
  show(person: Person): Promise<void>;
  /** The same, with nothing that was read before now: for what a person did there themselves. */
  refresh(person: Person): Promise<void>;
}

/** What was read before may be shown for as long as the platform remembers rights (ADR 14). Milliseconds. */
const KEEP_MS = 5 * 60_000;
const MAX_PEOPLE = 2_000;
/** More than the platform is given for an answer (design section 7). Milliseconds. */
const PART_MS = 35_000;
/** What has come after these times is shown before the rest, in milliseconds. */
const LOOKS_MS = [600, 5_000];
const TOO_SLOW = 'This takes too long just now: please refresh in a minute.';

/** A part as it was read for a person. */
interface Read {
  readonly blocks: Awaited<ReturnType<HomePart['fill']>>;
  /** Ms since the epoch. */
  readonly at: number;
  /** It holds why it could not be read: not worth being shown again. */
  readonly failed: boolean;
}

/** What is remembered of a person. */
interface Guest {
  /** The latest drawing; what an older one still finds out is dropped. */
  latest: object | undefined;
  /** It is not done yet. */
  running: Promise<void> | undefined;
  /** The last publication, which the next one waits for: an older one never comes after a newer one. */
  published: Promise<void>;
  readonly shown: Map<HomePart, Read>;
}

export function createHome(deps: HomeDeps): Home {
  const parts = deps.parts.toSorted((a, b) => a.rank - b.rank);
  const guests = new LRUCache<string, Guest>({ max: MAX_PEOPLE });
  const guestOf = ({ userId, teamId }: Person): Guest => {
    const key = `${teamId} ${userId}`;
    const known = guests.get(key);
    if (known !== undefined) return known;
    const guest = {
      latest: undefined,
      running: undefined,
      published: Promise.resolve(),
      shown: new Map(),
    };
    guests.set(key, guest);
    return guest;
  };
  const begin = (person: Person, guest: Guest): Promise<void> => {
    const running = draw({ ...deps, parts }, person, guest).finally(() => {
      if (guest.running === running) guest.running = undefined;
    });
    guest.running = running;
    return running;
  };
  return {
    show(person) {
      const guest = guestOf(person);
      return guest.running ?? begin(person, guest);
    },
    refresh: (person) => begin(person, guestOf(person)),
  };
}

async function draw(deps: HomeDeps, person: Person, guest: Guest): Promise<void> {
  const run = {};
  guest.latest = run;
  const publish = publisher(deps, person, guest, () => guest.latest === run);
  const { answer: no } = await guarded(deps, undefined, async () => {
    await deps.admit(person);
    return undefined;
  });
  if (no !== undefined) {
    guest.shown.clear();
    return publish(() => refusedHome(no));
  }
  const fresh = new Map<HomePart, Read>();
  const reading = Promise.all(
    deps.parts.map(async (part) => {
      const read = await readPart(deps, part, person);
      fresh.set(part, read);
      if (guest.latest === run) guest.shown.set(part, read);
    }),
  );
  const show = () => publish(() => viewOf(deps, guest.shown, fresh));
  void show();
  let seen = 0;
  for (const ms of LOOKS_MS) {
    if (await settledWithin(reading, ms)) break;
    if (fresh.size > seen) void show();
    seen = fresh.size;
  }
  await reading;
  await show();
}

/** A part, or why it cannot be had; never late and never thrown. */
async function readPart(deps: HomeDeps, part: HomePart, person: Person): Promise<Read> {
  const at = deps.clock.now();
  let blocks: Read['blocks'] = [];
  const { answer: no } = await guarded(deps, undefined, async () => {
    const filling = part.fill(person);
    if (!(await settledWithin(filling, deps.partMs ?? PART_MS))) throw new Refusal(TOO_SLOW);
    blocks = await filling;
    return undefined;
  });
  return { blocks: no?.blocks ?? blocks, at, failed: no !== undefined };
}

/** What has come now, and what was shown before in the place of what has not. */
function viewOf(
  { parts, clock }: HomeDeps,
  shown: ReadonlyMap<HomePart, Read>,
  fresh: ReadonlyMap<HomePart, Read>,
): HomeView {
  const oldest = clock.now() - KEEP_MS;
  const isKept = ({ at, failed }: Read): boolean => at > oldest && !failed;
  const known = parts.map((part) => {
    const before = shown.get(part);
    const read = fresh.get(part) ?? (before && isKept(before) ? before : undefined);
    return { title: part.title, blocks: read?.blocks, at: read?.at };
  });
  const times = known.flatMap(({ at }) => at ?? []);
  return homeView({
    parts: known,
    asOf: times.length === 0 ? undefined : Math.min(...times),
    isReading: fresh.size < parts.length,
  });
}

/** Publishing the same once more does no harm. */
const TRIES = 2;

/** Publishes for one drawing, in the order of the calls and as long as it is the latest. Never rejects. */
function publisher(deps: HomeDeps, { userId }: Person, guest: Guest, isLatest: () => boolean) {
  const send = async (view: () => HomeView): Promise<void> => {
    for (let left = TRIES; left > 0 && isLatest(); left -= 1) {
      try {
        await deps.client.views.publish({
          user_id: userId,
          view: scrubStrings(view(), deps.scrub),
        });
        return;
      } catch (error) {
        deps.logger.warn({ err: error }, 'A home tab was not published');
      }
    }
  };
  return (view: () => HomeView): Promise<void> => {
    guest.published = guest.published.then(() => send(view));
    return guest.published;
  };
}
