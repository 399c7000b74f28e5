import { setTimeout as sleep } from 'node:timers/promises';
import type { HomeView, KnownBlock } from '@slack/types';
import { WebAPIRateLimitedError, type WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import { Refusal } from '../../lib/errors.ts';
import { type Scrub, scrubStrings } from '../../lib/secret.ts';
import { type Clock, settledWithin } from '../../lib/time.ts';
import { errorCode } from '../calls.ts';
import type { HomeVersions } from '../home-versions.ts';
import { actions, button, context, divider, header, section } from '../kit/blocks.ts';
import { given, LIMITS, moment, mrkdwn } from '../kit/text.ts';
import type { NativeBlocks } from '../native-blocks.ts';
import { RUN_ACTION } from '../replies/help-view.ts';
import { type ErrorHandling, forAdmitted, sentenceFor, warningAnswer } from '../replies/reply.ts';
import { isContentRefused } from '../sender.ts';
import type { Listeners } from './clicks.ts';
import type { Answer, HomePart, Person } from './routes.ts';

interface Known {
  /** Why the person may not use the bot at all, as a sentence. */
  readonly refusal?: string | undefined;
}

/** `Who` is the app's type of a person's rights. */
export interface HomeServices<Who extends Known> extends ErrorHandling {
  slack: WebClient;
  /** Whether the person may use the bot at all; quick, from remembered rights. @throws Refusal */
  authorize: (person: Person) => Promise<void>;
  /** The person's rights, read afresh; once for each drawing of the tab. */
  principal: (person: Person) => Promise<Who>;
  scrub: Scrub;
  native: NativeBlocks;
  versions: HomeVersions;
  clock: Clock;
  /** Timeout of one part, in milliseconds (35 s). */
  partMs?: number;
}

export interface Home {
  /**
   * Shows a person their home tab: at once from memory, and again as its parts arrive. A tab that is opened again
   * meanwhile is not read twice. Never rejects; errors are logged.
   */
  show(person: Person): Promise<void>;
  /** The same with a fresh read of every part, after an action on the tab. */
  refresh(person: Person): Promise<void>;
  /** The same without being asked: published once, when all is read, so that nothing flickers. */
  renew(person: Person): Promise<void>;
}

/** Parts may be shown for as long as the platform remembers rights (ADR 14). Milliseconds. */
const KEEP_MS = 5 * 60_000;
const MAX_PEOPLE = 2_000;
/** Longer than the timeout of the platform's answers (design section 7). Milliseconds. */
const PART_MS = 35_000;
/** Parts that have arrived by then are shown before the rest. Milliseconds. */
const PUBLISH_AFTER_MS = [600, 5_000];
const TOO_SLOW = 'This takes too long just now: please refresh in a minute.';

type Blocks = Awaited<ReturnType<HomePart['fill']>>;

interface Read {
  readonly blocks: Blocks;
  /** Ms since the epoch. */
  readonly at: number;
  /** The person may not see it: its former content is removed. */
  readonly isRefused: boolean;
}
/** It could not be read: its former content may stay. */
interface Failed {
  readonly why: string;
}

/** One drawing of a tab, of one or several publications. */
interface Drawing {
  /** Slack's version of the tab that the next publication replaces; undefined: any. */
  hash: string | undefined;
  /** Another process has published the tab since: this drawing may be older. */
  isOvertaken: boolean;
  /** Publications so far: one that still waits when the next comes is left out. */
  count: number;
}

const newDrawing = (hash?: string): Drawing => ({ hash, isOvertaken: false, count: 0 });

interface HomeTab<Who> {
  /** The latest drawing; results of an older one are dropped. */
  latest: Drawing | undefined;
  running: Promise<void> | undefined;
  /** The last publication, which the next one waits for: an older one never comes after a newer one. */
  published: Promise<void>;
  readonly shown: Map<HomePart<Who>, Read>;
}

type HomeSetup<Who extends Known> = HomeServices<Who> & { parts: readonly HomePart<Who>[] };

export function createHome<Who extends Known>(
  services: HomeServices<Who>,
  parts: readonly HomePart<Who>[],
): Home {
  const setup = { ...services, parts: parts.toSorted((a, b) => a.rank - b.rank) };
  const tabs = new LRUCache<string, HomeTab<Who>>({ max: MAX_PEOPLE });
  const tabOf = ({ userId }: Person): HomeTab<Who> => {
    const known = tabs.get(userId);
    if (known !== undefined) return known;
    const tab = {
      latest: undefined,
      running: undefined,
      published: Promise.resolve(),
      shown: new Map(),
    };
    tabs.set(userId, tab);
    return tab;
  };
  const begin = (person: Person, tab: HomeTab<Who>, drawing = draw): Promise<void> => {
    const running = drawing(setup, person, tab).finally(() => {
      if (tab.running === running) tab.running = undefined;
    });
    tab.running = running;
    return running;
  };
  return {
    show(person) {
      const tab = tabOf(person);
      return tab.running ?? begin(person, tab);
    },
    refresh: (person) => begin(person, tabOf(person)),
    renew: (person) => begin(person, tabOf(person), drawQuietly),
  };
}

/** As often as a tab is read anew because another process has published it meanwhile. */
const QUIET_TRIES = 3;

/** Of the last try the version is not compared: Redis may not have the latest. */
async function drawQuietly<Who extends Known>(
  setup: HomeSetup<Who>,
  person: Person,
  tab: HomeTab<Who>,
): Promise<void> {
  for (let left = QUIET_TRIES; left > 0; left -= 1) {
    const hash = left > 1 ? await setup.versions.get(person.userId) : undefined;
    const run = newDrawing(hash);
    await draw(setup, person, tab, run, true);
    if (!run.isOvertaken) return;
  }
}

/** The first publication replaces any other; those after it only what it has published. */
async function draw<Who extends Known>(
  setup: HomeSetup<Who>,
  person: Person,
  tab: HomeTab<Who>,
  run = newDrawing(),
  isQuiet = false,
): Promise<void> {
  tab.latest = run;
  const isLatest = () => tab.latest === run && !run.isOvertaken;
  const publish = createPublish(setup, person, tab, run);
  const attempt = { userId: person.userId, what: 'home' };
  const { answer: no } = await forAdmitted(setup, person, attempt, async () => undefined);
  if (no !== undefined) {
    tab.shown.clear();
    return publish(() => refusedHome(no));
  }
  const { reading, found, view } = readParts(setup, person, tab, isLatest);
  if (!isQuiet) void publish(view);
  let seen = 0;
  for (const ms of isQuiet ? [] : PUBLISH_AFTER_MS) {
    if (await settledWithin(reading, ms)) break;
    if (found() > seen) void publish(view);
    seen = found();
  }
  await reading;
  await publish(view);
}

/** Reads all parts and the person's rights at the same time; `view` shows the parts that have arrived. */
function readParts<Who extends Known>(
  setup: HomeSetup<Who>,
  person: Person,
  { shown }: HomeTab<Who>,
  isLatest: () => boolean,
) {
  const fresh = new Map<HomePart<Who>, Read | Failed>();
  let known: { readonly who: Who } | undefined;
  const stateOf = (part: HomePart<Who>): Read | Failed | undefined => {
    const no = known && part.refusal?.(known.who);
    if (no === undefined) return fresh.get(part);
    return { blocks: refusedBlocks(part, no), at: setup.clock.now(), isRefused: true };
  };
  const remember = (part: HomePart<Who>): void => {
    if (!isLatest()) return;
    const state = stateOf(part);
    const isClosed = known !== undefined && known.who.refusal !== undefined;
    const read = state !== undefined && 'blocks' in state ? state : undefined;
    if (isClosed || read?.isRefused === true) shown.delete(part);
    else if (read !== undefined) shown.set(part, read);
  };
  const who = setup.principal(person).then((one) => {
    known = { who: one };
    setup.parts.forEach(remember);
    return one;
  });
  const reading = Promise.all([
    settledWithin(who, setup.partMs ?? PART_MS),
    ...setup.parts.map(async (part) => {
      fresh.set(part, await readPart(setup, part, () => part.fill(person, () => who)));
      remember(part);
    }),
  ]);
  const view = (): HomeView => {
    const no = known?.who.refusal;
    if (no !== undefined) return refusedHome(warningAnswer(no));
    return viewOf(setup, shown, stateOf);
  };
  return { reading, found: () => fresh.size, view };
}

/** A part, or why it cannot be read. Takes at most `partMs`; never rejects. */
async function readPart(
  setup: Pick<HomeSetup<Known>, 'clock' | 'partMs' | keyof ErrorHandling>,
  part: Pick<HomePart, 'title' | 'hidden'>,
  fill: () => Promise<Blocks>,
): Promise<Read | Failed> {
  const at = setup.clock.now();
  try {
    const filling = fill();
    if (!(await settledWithin(filling, setup.partMs ?? PART_MS))) {
      throw new Refusal(TOO_SLOW, new Error(`The part "${part.title}" did not come in time`));
    }
    return { blocks: await filling, at, isRefused: false };
  } catch (error) {
    const why = sentenceFor(setup, error);
    const isRefusal = error instanceof Refusal && error.cause === undefined;
    return isRefusal ? { blocks: refusedBlocks(part, why), at, isRefused: true } : { why };
  }
}

function refusedBlocks({ hidden }: Pick<HomePart, 'hidden'>, why: string): Blocks {
  return hidden === true ? [] : [...warningAnswer(why).blocks];
}

/** The parts that have arrived; for the others their former content, if it is not too old. */
function viewOf<Who extends Known>(
  { parts, clock }: HomeSetup<Who>,
  shown: ReadonlyMap<HomePart<Who>, Read>,
  stateOf: (part: HomePart<Who>) => Read | Failed | undefined,
): HomeView {
  const oldest = clock.now() - KEEP_MS;
  const all = parts.map((part) => {
    const before = shown.get(part);
    return {
      title: part.title,
      state: stateOf(part),
      kept: before !== undefined && before.at > oldest ? before : undefined,
    };
  });
  const views = all.map(({ title, state, kept }): PartView & { at: number | undefined } => {
    if (state === undefined) return { title, blocks: kept?.blocks, at: kept?.at };
    if ('blocks' in state) return { title, blocks: state.blocks, at: state.at };
    return { title, blocks: kept?.blocks ?? [], failed: { shownOf: kept?.at }, at: kept?.at };
  });
  const times = views.flatMap(({ at }) => at ?? []);
  const whys = all.flatMap(({ state }) => (state !== undefined && 'why' in state ? state.why : []));
  return homeView({
    parts: views,
    troubles: [...new Set(whys)],
    asOf: times.length === 0 ? undefined : Math.min(...times),
    isReading: all.some(({ state }) => state === undefined),
  });
}

/** Publishing the same view twice does no harm. */
const TRIES = 3;

/**
 * Publishes in the order of the calls, as long as this drawing is the latest of all processes. A limit of Slack is
 * waited for: else the tab would stay as it is. Never rejects.
 */
function createPublish<Who extends Known>(
  { slack, native, scrub, logger, versions, stopping }: HomeSetup<Who>,
  { userId }: Person,
  tab: HomeTab<Who>,
  run: Drawing,
) {
  /** @returns the error when Slack does not take the tab, also without native blocks */
  const sendOnce = async (view: HomeView): Promise<unknown> =>
    native.send<unknown>(
      'home',
      view.blocks as KnownBlock[],
      (blocks = [section(mrkdwn`${NOT_SHOWN}`)]) =>
        slack.views
          .publish({
            user_id: userId,
            view: { ...view, blocks: [...blocks] },
            ...given({ hash: run.hash }),
          })
          .then(
            ({ view: shown }) => void (run.hash = shown?.hash),
            (error: unknown) => error,
          ),
      isContentRefused,
    );
  const send = async (view: () => HomeView, count: number): Promise<void> => {
    const isNeeded = () => tab.latest === run && !run.isOvertaken && run.count === count;
    for (let left = TRIES; left > 0 && isNeeded(); left -= 1) {
      const sending = Promise.resolve().then(() => sendOnce(scrubStrings(view(), scrub)));
      const error = await sending.catch((failure: unknown) => failure);
      if (error === undefined) {
        if (run.hash !== undefined) await versions.set(userId, run.hash);
        return;
      }
      run.isOvertaken = errorCode(error) === 'hash_conflict';
      if (run.isOvertaken) return;
      logger.warn({ err: error }, 'A home tab was not published');
      if (isContentRefused(error)) return;
      if (error instanceof WebAPIRateLimitedError) {
        const options = { signal: stopping };
        await sleep(error.retryAfter * 1_000, undefined, options).catch(() => undefined);
      } else {
        // Slack may have taken it all the same.
        run.hash = undefined;
      }
    }
  };
  return (view: () => HomeView): Promise<void> => {
    const count = (run.count += 1);
    tab.published = tab.published.then(() => send(view, count));
    return tab.published;
  };
}

const NOT_SHOWN = 'Slack does not take this tab just now: the commands work.';

/**
 * Connects the home tab: it is drawn when a person opens it, and again on **Refresh**.
 * @param opened called for a person whose tab is drawn
 */
export function routeHome(
  app: Listeners,
  home: Home,
  opened: (person: Person) => Promise<void>,
): void {
  app.event('app_home_opened', async ({ event, body }) => {
    // The messages tab of the app is the other one.
    if (event.tab === 'messages') return;
    const person = { userId: event.user, teamId: body.team_id };
    await home.show(person);
    await opened(person);
  });
  app.click(REFRESH_ACTION, ({ context: { person } }) => home.refresh(person));
}

const REFRESH_ACTION = 'home.refresh';

export interface PartView {
  readonly title: string;
  /** Undefined: still being read. Empty: left out. */
  readonly blocks: readonly KnownBlock[] | undefined;
  /** It cannot be read now. `shownOf`: when the blocks were read, ms since the epoch; undefined without blocks. */
  readonly failed?: { readonly shownOf: number | undefined };
}

export interface HomeState {
  readonly parts: readonly PartView[];
  /** Why parts cannot be read now: each reason is one sentence, once. */
  readonly troubles: readonly string[];
  /** When the oldest content was read, ms since the epoch; undefined without content. */
  readonly asOf: number | undefined;
  readonly isReading: boolean;
}

/** Per part, so that one never takes the room of all others. */
const PART_BLOCKS = 15;

/** The home tab of a person who may use the bot (design section 3). Pure. */
export function homeView({ parts, troubles, asOf, isReading }: HomeState): HomeView {
  const below = [
    divider(),
    context(footer(asOf, isReading)),
    actions(
      button({ action: REFRESH_ACTION, text: 'Refresh' }),
      button({ action: RUN_ACTION, text: 'Help', value: '/purser help' }),
    ),
  ];
  const above = [
    ...troubles.map((why) => section(mrkdwn`:warning: ${why}`)),
    ...parts.flatMap(partBlocks),
  ];
  const room = LIMITS.homeBlocks - below.length;
  const shown = above.length <= room ? above : [...above.slice(0, room - 1), context(CUT)];
  return { type: 'home', blocks: [...shown, ...below] };
}

function refusedHome({ blocks }: Pick<Answer, 'blocks'>): HomeView {
  return { type: 'home', blocks: blocks.slice(0, LIMITS.homeBlocks) };
}

const CUT = mrkdwn`… and more, for which there is no room here`;

function partBlocks({ title, blocks, failed }: PartView): KnownBlock[] {
  if (failed !== undefined && failed.shownOf === undefined) {
    return [header(title), context(mrkdwn`Not known just now`)];
  }
  if (blocks?.length === 0) return [];
  return [
    header(title),
    ...(blocks ?? [context(mrkdwn`Reading …`)]).slice(0, PART_BLOCKS),
    ...(failed?.shownOf === undefined
      ? []
      : [
          context(
            mrkdwn`As of ${moment(failed.shownOf, '{time_secs}')}: nothing newer can be read just now`,
          ),
        ]),
  ];
}

function footer(asOf: number | undefined, isReading: boolean) {
  if (asOf === undefined) return isReading ? mrkdwn`Reading …` : mrkdwn`Nothing could be read`;
  const read = mrkdwn`As of ${moment(asOf, '{time_secs}')}`;
  return isReading ? mrkdwn`${read}, reading again …` : read;
}
