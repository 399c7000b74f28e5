import * as fc from 'fast-check';
import { BILLING_ROLES } from '../../../../src/platform/billing/roles.ts';
import type { Happening } from './happenings.ts';
import { PLAYED, type Wish } from './orders.ts';
import type { Trouble } from './stage.ts';
import { PEOPLE } from './world.ts';

/** One thing that is done. */
export interface Act {
  readonly do:
    'request' | 'review' | 'approve' | 'reject' | 'withdraw' | 'reveal' | 'work' | 'happen';
  /** A person by name, or by their part in the change. */
  readonly who?: string;
  readonly wish?: Wish;
  /** Of which change. */
  readonly pick?: number;
  /** The plan that is approved: the current one, one that a review has shown before, or any. */
  readonly shown?: 'now' | 'before' | 'never';
  /** Whether Slack shows the secret, and says so. */
  readonly slack?: 'shows' | 'refuses' | 'is lost';
  readonly happening?: Happening;
  readonly trouble?: Trouble | undefined;
}

/** Acts at once and one after another, and how the dice fall in them. */
export interface Episode {
  readonly seed: number;
  readonly course: readonly (readonly Act[])[];
}

/** How the bot is set up. */
export interface Setup {
  readonly approvals: { readonly required: boolean; readonly allowSelf: boolean };
  readonly hasKey: boolean;
  readonly orgAccess: 'members' | 'roles' | 'group';
  /** The platform’s answer to a create omits which token it is. */
  readonly isIdless: boolean;
}

/** Words, and how often they come. */
const word = <Word extends string>(weights: Readonly<Record<Word, number>>): fc.Arbitrary<Word> =>
  oneOf(
    ...Object.entries<number>(weights).map(
      ([word, weight]) => [weight, fc.constant(word as Word)] as const,
    ),
  );
const oneOf = <T>(...all: readonly (readonly [number, fc.Arbitrary<T>])[]): fc.Arbitrary<T> =>
  fc.oneof(...all.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const trouble: fc.Arbitrary<Trouble | undefined> = fc.option(
  fc.record<Trouble>({
    at: oneOf<number | 'write'>([3, fc.integer({ min: 1, max: 40 })], [2, fc.constant('write')]),
    what: word({ crash: 4, lost: 2, late: 2, stall: 2, fails: 1 }),
    how: fc.nat({ max: 20 }),
  }),
  { nil: undefined, freq: 2 },
);

const wish: fc.Arbitrary<Wish> = fc.record({
  // Kinds with a secret have more to go wrong.
  kind: oneOf(
    [3, fc.constantFrom(...PLAYED)],
    [1, fc.constantFrom('token.create', 'token.create', 'org.create')],
  ),
  n: fc.nat({ max: 40 }),
  roles: fc.subarray([...BILLING_ROLES], { minLength: 1 }),
  flag: fc.boolean(),
});

const anybody = Object.fromEntries(PEOPLE.map((name) => [name, 1])) as Record<string, number>;
const viewer = word({ ...anybody, ada: 12, ben: 4, cid: 4 });
const decider = word({ ...anybody, ben: 11, cid: 11, ada: 3, requester: 2, dee: 3 });
const requester = word({ ...anybody, requester: 8 * PEOPLE.length });
const pick = fc.nat({ max: 20 });

const incident: fc.Arbitrary<Happening> = fc.record({
  what: oneOf<Happening['what']>(
    [3, fc.constant('drift')],
    [2, fc.constantFrom('admin', 'viewer', 'creator', 'noOne', 'admin')],
    [2, fc.constantFrom('deactivated', 'active', 'guest', 'moved', 'no e-mail', 'own e-mail')],
    [1, fc.constantFrom('group', 'active')],
    [1, fc.constantFrom('platform silent', 'Slack silent', 'unreadable row', 'clear', 'clear')],
  ),
  who: word({ ...anybody, ada: 8, ben: 8, cid: 8 }),
  n: pick,
});
const seconds = oneOf(
  [6, fc.constantFrom(10, 30, 95)],
  [3, fc.constantFrom(300, 960)],
  [1, fc.constantFrom(3_660, 32_400)],
);
const happening = oneOf<Happening>(
  [3, incident],
  [4, seconds.map((n) => ({ what: 'time goes by', n }))],
);

const act = (what: Act['do'], of: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Act> =>
  fc.record({ do: fc.constant(what), ...of }) as fc.Arbitrary<Act>;

const request = act('request', { who: viewer, wish, trouble });
const approve = (of: fc.Arbitrary<number>, shown: fc.Arbitrary<string>): fc.Arbitrary<Act> =>
  act('approve', { who: decider, pick: of, shown, trouble });
const approved = approve(fc.constant(0), fc.constant('now'));
const slack = word({ shows: 3, refuses: 1, 'is lost': 1 });
const reveal = act('reveal', { who: requester, pick, slack, trouble });
const work = act('work', { trouble });
const one = oneOf<Act>(
  [5, request],
  [6, approve(pick, word({ now: 6, before: 2, never: 1 }))],
  [1, act('review', { who: decider, pick, trouble })],
  [1, act('reject', { who: decider, pick, trouble })],
  [1, act('withdraw', { who: requester, pick, trouble })],
  [4, reveal],
  [8, work],
  [7, act('happen', { pick, happening })],
);

/** The acts of one moment: mostly one, sometimes several, sometimes the same one twice. */
const atOnce = oneOf<Act[]>(
  [6, fc.tuple(one)],
  [2, fc.array(one, { minLength: 2, maxLength: 3 })],
  [1, one.map((act) => [act, act])],
  [1, fc.tuple(work, work)],
);

const alone = (act: fc.Arbitrary<Act>): fc.Arbitrary<Act[]> => fc.tuple(act);

/** The acts one after another: any, or those that bring a change on its way. */
const course = oneOf<Act[][]>(
  [5, fc.tuple(atOnce)],
  [2, fc.tuple(alone(request), alone(approved))],
  [2, fc.tuple(alone(request), alone(approved), atOnce, alone(work))],
  [1, fc.tuple(...[request, approved, work, reveal].map(alone))],
);

const setup: fc.Arbitrary<Setup> = fc.record({
  approvals: oneOf(
    [8, fc.constant({ required: true, allowSelf: false })],
    [1, fc.boolean().map((required) => ({ required, allowSelf: required }))],
  ),
  hasKey: oneOf([7, fc.constant(true)], [1, fc.constant(false)]),
  orgAccess: fc.constantFrom('members', 'roles', 'group'),
  isIdless: oneOf([1, fc.constant(true)], [5, fc.constant(false)]),
});

/** A set-up of the bot, and the acts of people with it. */
export const anyStory: fc.Arbitrary<{ setup: Setup; episodes: Episode[] }> = fc.record({
  setup,
  episodes: fc.array(fc.record({ seed: fc.nat(), course }), { maxLength: 16, size: 'max' }),
});

const ofRedis = fc.record<Happening>({
  what: oneOf<Happening['what']>(
    [8, fc.constant('goes back')],
    [1, fc.constant('no replica')],
    [2, fc.constant('replica')],
  ),
  n: oneOf([3, fc.constantFrom(1, 2)], [1, fc.nat({ max: 8 })]),
});
const forgets = oneOf<Act[]>(
  [2, fc.tuple(act('happen', { pick, happening: ofRedis }))],
  [1, fc.tuple(work, act('happen', { pick, happening: ofRedis }))],
);

const secretly = act('request', {
  who: viewer,
  wish: wish.map((one) => ({ ...one, kind: 'token.create' as const })),
});
const goesBack = act('happen', {
  happening: fc.record({ what: fc.constant('goes back' as const), n: fc.nat({ max: 3 }) }),
});
const seen = act('reveal', {
  who: fc.constant('requester'),
  pick: fc.constant(0),
  slack: fc.constant('shows'),
});
const later = act('happen', { happening: fc.constant({ what: 'time goes by' as const, n: 960 }) });
/** A token on its way; Redis goes back at one of its steps, and people and workers go on. */
const lostToken = fc
  .tuple(fc.nat({ max: 4 }), goesBack, secretly, approved, work, seen, approved, work, later)
  .map(([at, back, ...steps]) => steps.toSpliced(at, 0, back).map((one) => [one]));
const lost = fc.record({ seed: fc.nat(), course: lostToken });

/** As `anyStory`, on a Redis that forgets: after the acts of an episode, or beside the work. */
export const anyForgetfulStory: typeof anyStory = fc
  .tuple(
    anyStory,
    fc.array(lost, { minLength: 1, maxLength: 3, size: 'max' }),
    fc.array(fc.tuple(fc.nat({ max: 8 }), fc.constantFrom(1, 2, 3, 4, 4), forgets), {
      minLength: 1,
      maxLength: 8,
      size: 'max',
    }),
  )
  .map(([story, tokens, all]) => {
    const episodes = story.episodes.map(({ seed, course }) => ({ seed, course: [...course] }));
    for (const [at, within, acts] of all) episodes[at]?.course.splice(within, 0, acts);
    return { ...story, episodes: [...episodes, ...tokens] };
  });
