import type { HomeView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../lib/clock.ts';
import { settledWithin } from '../lib/patience.ts';
import { Refusal } from '../lib/refusal.ts';
import { scrubStrings } from '../lib/scrub.ts';
import type { Scrub } from '../lib/scrub.ts';
import { guarded, sentence, sentenceFor } from './guard.ts';
import type { GuardDeps } from './guard.ts';
import { homeView, refusedHome } from './home-view.ts';
import type { PartView } from './home-view.ts';
import type { HomePart, Person } from './routes.ts';

/** `Who` is what the app knows of a person. */
export interface HomeDeps<Who> extends GuardDeps {
  client: WebClient;
  parts: readonly HomePart<Who>[];
  /** Who may use the bot at all, quickly: what is remembered will do. @throws Refusal */
  admit: (person: Person) => Promise<void>;
  /** What is known of a person now, asked afresh; once for a drawing. */
  who: (person: Person) => Promise<Who>;
  /** Why somebody may not use the bot at all, as a sentence. */
  refusal: (who: Who) => string | undefined;
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

type Blocks = Awaited<ReturnType<HomePart['fill']>>;

/** A part as it was read for a person. */
interface Read {
  readonly kind: 'read';
  readonly blocks: Blocks;
  /** Ms since the epoch. */
  readonly at: number;
}
/** It is not for the person: what was shown of it before is not either. */
interface Refused extends Omit<Read, 'kind'> {
  readonly kind: 'refused';
}
/** Nobody knows: what was shown of it before still may be. */
interface Failed {
  readonly kind: 'failed';
  readonly why: string;
}

/** What is remembered of a person. */
interface Guest<Who> {
  /** The latest drawing; what an older one still finds out is dropped. */
  latest: object | undefined;
  /** It is not done yet. */
  running: Promise<void> | undefined;
  /** The last publication, which the next one waits for: an older one never comes after a newer one. */
  published: Promise<void>;
  readonly shown: Map<HomePart<Who>, Read>;
}

export function createHome<Who>(deps: HomeDeps<Who>): Home {
  const parts = deps.parts.toSorted((a, b) => a.rank - b.rank);
  const guests = new LRUCache<string, Guest<Who>>({ max: MAX_PEOPLE });
  const guestOf = ({ userId }: Person): Guest<Who> => {
    const known = guests.get(userId);
    if (known !== undefined) return known;
    const guest = {
      latest: undefined,
      running: undefined,
      published: Promise.resolve(),
      shown: new Map(),
    };
    guests.set(userId, guest);
    return guest;
  };
  const begin = (person: Person, guest: Guest<Who>): Promise<void> => {
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

async function draw<Who>(deps: HomeDeps<Who>, person: Person, guest: Guest<Who>): Promise<void> {
  const run = {};
  guest.latest = run;
  const isLatest = () => guest.latest === run;
  const publish = publisher(deps, person, guest, isLatest);
  const asked = { userId: person.userId, what: 'home' };
  const { answer: no } = await guarded(deps, asked, async () => {
    await deps.admit(person);
    return undefined;
  });
  if (no !== undefined) {
    guest.shown.clear();
    return publish(() => refusedHome(no));
  }
  const { reading, found, view } = readParts(deps, person, guest, isLatest);
  void publish(view);
  let seen = 0;
  for (const ms of LOOKS_MS) {
    if (await settledWithin(reading, ms)) break;
    if (found() > seen) void publish(view);
    seen = found();
  }
  await reading;
  await publish(view);
}

/** Reads all parts, and who the person is, at once; what has come so far can be looked at all the time. */
function readParts<Who>(
  deps: HomeDeps<Who>,
  person: Person,
  { shown }: Guest<Who>,
  isLatest: () => boolean,
) {
  const fresh = new Map<HomePart<Who>, Read | Refused | Failed>();
  let known: { readonly who: Who } | undefined;
  const verdictOn = (part: HomePart<Who>): Read | Refused | Failed | undefined => {
    const no = known && part.refusal?.(known.who);
    if (no === undefined) return fresh.get(part);
    return { kind: 'refused', blocks: sentence(no).blocks, at: deps.clock.now() };
  };
  const remember = (part: HomePart<Who>): void => {
    if (!isLatest()) return;
    const verdict = verdictOn(part);
    const isClosed = known !== undefined && deps.refusal(known.who) !== undefined;
    if (isClosed || verdict?.kind === 'refused') shown.delete(part);
    else if (verdict?.kind === 'read') shown.set(part, verdict);
  };
  const who = deps.who(person).then((one) => {
    known = { who: one };
    deps.parts.forEach(remember);
    return one;
  });
  const reading = Promise.all([
    settledWithin(who, deps.partMs ?? PART_MS),
    ...deps.parts.map(async (part) => {
      fresh.set(part, await readPart(deps, part, () => part.fill(person, () => who)));
      remember(part);
    }),
  ]);
  const view = (): HomeView => {
    const no = known && deps.refusal(known.who);
    if (no !== undefined) return refusedHome(sentence(no));
    return viewOf(deps, shown, verdictOn);
  };
  return { reading, found: () => fresh.size, view };
}

/** A part, or why it cannot be had; never late and never thrown. */
async function readPart(
  deps: Pick<HomeDeps<never>, 'clock' | 'partMs' | keyof GuardDeps>,
  { title }: Pick<HomePart, 'title'>,
  fill: () => Promise<Blocks>,
): Promise<Read | Refused | Failed> {
  const at = deps.clock.now();
  try {
    const filling = fill();
    if (!(await settledWithin(filling, deps.partMs ?? PART_MS))) {
      throw new Refusal(TOO_SLOW, new Error(`The part "${title}" did not come in time`));
    }
    return { kind: 'read', blocks: await filling, at };
  } catch (error) {
    const why = sentenceFor(deps, error);
    const isNo = error instanceof Refusal && error.cause === undefined;
    return isNo ? { kind: 'refused', blocks: sentence(why).blocks, at } : { kind: 'failed', why };
  }
}

/** What has come now, and what was shown before in the place of what has not, or cannot be had. */
function viewOf<Who>(
  { parts, clock }: HomeDeps<Who>,
  shown: ReadonlyMap<HomePart<Who>, Read>,
  verdictOn: (part: HomePart<Who>) => Read | Refused | Failed | undefined,
): HomeView {
  const oldest = clock.now() - KEEP_MS;
  const all = parts.map((part) => {
    const before = shown.get(part);
    return {
      title: part.title,
      verdict: verdictOn(part),
      kept: before !== undefined && before.at > oldest ? before : undefined,
    };
  });
  const views = all.map(({ title, verdict, kept }): PartView & { at: number | undefined } => {
    if (verdict === undefined) return { title, blocks: kept?.blocks, at: kept?.at };
    if (verdict.kind !== 'failed') return { title, blocks: verdict.blocks, at: verdict.at };
    return { title, blocks: kept?.blocks ?? [], failed: { shownOf: kept?.at }, at: kept?.at };
  });
  const times = views.flatMap(({ at }) => at ?? []);
  const whys = all.flatMap(({ verdict }) => (verdict?.kind === 'failed' ? verdict.why : []));
  return homeView({
    parts: views,
    troubles: [...new Set(whys)],
    asOf: times.length === 0 ? undefined : Math.min(...times),
    isReading: all.some(({ verdict }) => verdict === undefined),
  });
}

/** Publishing the same once more does no harm. */
const TRIES = 2;

/** Publishes for one drawing, in the order of the calls and as long as it is the latest. Never rejects. */
function publisher<Who>(
  deps: HomeDeps<Who>,
  { userId }: Person,
  guest: Guest<Who>,
  isLatest: () => boolean,
) {
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
