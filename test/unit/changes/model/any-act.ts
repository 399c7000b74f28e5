import * as fc from 'fast-check';
import { KINDS } from '../../../../src/changes/messages/plan-view.ts';
import type { Act, Who } from './acts.ts';
import type { Happening } from './happenings.ts';
import type { Wish } from './orders.ts';
import type { Setup } from './rights.ts';
import { PEOPLE } from './state.ts';
import type { Name } from './state.ts';
import type { Trouble } from './trouble.ts';

const often = <T>(
  weight: number,
  ...values: T[]
): { weight: number; arbitrary: fc.Arbitrary<T> } => ({
  weight,
  arbitrary: fc.constantFrom(...values),
});

const trouble: fc.Arbitrary<Trouble | undefined> = fc.option(
  fc.record<Trouble>({
    at: fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: 1, max: 40 }) },
      { weight: 2, arbitrary: fc.constant('write' as const) },
    ),
    what: fc.oneof(
      often<Trouble['what']>(4, 'crash'),
      often<Trouble['what']>(2, 'lost', 'late', 'stall'),
      often<Trouble['what']>(1, 'fails'),
    ),
    how: fc.nat({ max: 20 }),
  }),
  { nil: undefined, freq: 2 },
);

const wish: fc.Arbitrary<Wish> = fc.record({
  // What has a secret has more to go wrong.
  kind: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...KINDS) },
    often<Wish['kind']>(1, 'token.create', 'token.create', 'org.create'),
  ),
  n: fc.nat({ max: 40 }),
  roles: fc.subarray(['billing_admin', 'billing_viewer', 'org_creator'] as Wish['roles'], {
    minLength: 1,
  }),
  flag: fc.boolean(),
});

const viewer: fc.Arbitrary<Name> = fc.oneof(
  often<Name>(12, 'ada'),
  often<Name>(4, 'ben', 'cid'),
  often<Name>(1, 'dee', 'eve', 'ada2', 'gus'),
);
const decider: fc.Arbitrary<Who> = fc.oneof(
  often<Who>(10, 'ben', 'cid'),
  often<Who>(2, 'ada', 'requester', 'dee'),
  often<Who>(1, ...PEOPLE),
);
const requester: fc.Arbitrary<Who> = fc.oneof(often<Who>(8, 'requester'), often<Who>(1, ...PEOPLE));
const pick = fc.nat({ max: 20 });

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('drift' as const), n: pick }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('person' as const),
      who: fc.oneof(often<Name>(3, 'ada', 'ben', 'cid'), often<Name>(1, ...PEOPLE)),
      what: fc.constantFrom(
        ...(['admin', 'viewer', 'creator', 'nobody', 'deactivated', 'active'] as const),
        ...(['guest', 'moved', 'no e-mail', 'own e-mail', 'group', 'admin', 'active'] as const),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('weather' as const),
      what: fc.constantFrom('platform silent', 'Slack silent', 'unreadable row', 'clear', 'clear'),
    }),
  },
);

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const anyTime = fc.oneof(
  often(6, 10 * SECOND, 30 * SECOND, 95 * SECOND),
  often(3, 5 * MINUTE, 16 * MINUTE),
  often(1, 61 * MINUTE, 9 * 60 * MINUTE),
);

/** @param of how an act looks, beside its trouble */
const act = (of: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Act> =>
  fc.record({ ...of, trouble }) as unknown as fc.Arbitrary<Act>;
const does = (what: Act['do']) => ({ do: fc.constant(what) });

const request = act({ ...does('request'), who: viewer, wish });
const approve = act({
  ...does('approve'),
  who: decider,
  pick,
  shown: fc.oneof(often(6, 'now'), often(2, 'before'), often(1, 'never')),
});
const slack = fc.oneof(often(3, 'shows'), often(1, 'refuses', 'is lost'));
const reveal = act({ ...does('reveal'), who: requester, pick, slack });
const work = act(does('work'));
const happen = fc.record({ do: fc.constant('happen' as const), pick, happening });
const wait = fc.record({ do: fc.constant('wait' as const), ms: anyTime });

const one: fc.Arbitrary<Act> = fc.oneof(
  { weight: 5, arbitrary: request },
  { weight: 6, arbitrary: approve },
  { weight: 1, arbitrary: act({ ...does('review'), who: decider, pick }) },
  { weight: 1, arbitrary: act({ ...does('reject'), who: decider, pick }) },
  { weight: 1, arbitrary: act({ ...does('withdraw'), who: requester, pick }) },
  { weight: 4, arbitrary: reveal },
  { weight: 8, arbitrary: work },
  { weight: 3, arbitrary: happen },
  { weight: 4, arbitrary: wait },
);

/** What goes on at once: mostly one thing, sometimes several, sometimes the same thing twice. */
const atOnce: fc.Arbitrary<Act[]> = fc.oneof(
  { weight: 6, arbitrary: one.map((act) => [act]) },
  { weight: 2, arbitrary: fc.array(one, { minLength: 2, maxLength: 3 }) },
  { weight: 1, arbitrary: one.map((act) => [act, act]) },
  { weight: 1, arbitrary: fc.tuple(work, work) },
);

const newest = fc.constant(0);
const approved = act({ ...does('approve'), who: decider, pick: newest, shown: fc.constant('now') });
const alone = (what: fc.Arbitrary<Act>): fc.Arbitrary<Act[]> => what.map((act) => [act]);

/** What goes on, one after another: anything, or what brings a change on its way. */
export const anyCourse: fc.Arbitrary<Act[][]> = fc.oneof(
  { weight: 5, arbitrary: atOnce.map((acts) => [acts]) },
  { weight: 2, arbitrary: fc.tuple(alone(request), alone(approved)) },
  { weight: 2, arbitrary: fc.tuple(alone(request), alone(approved), atOnce, alone(work)) },
  { weight: 1, arbitrary: fc.tuple(alone(request), alone(approved), alone(work), alone(reveal)) },
);

export const anySetup: fc.Arbitrary<Setup> = fc.record({
  approvals: fc.oneof(
    often(8, { required: true, allowSelf: false }),
    often(1, { required: true, allowSelf: true }, { required: false, allowSelf: false }),
  ),
  hasKey: fc.oneof(often(7, true), often(1, false)),
  orgAccess: fc.constantFrom('members', 'roles', 'group'),
  isIdless: fc.oneof(often(5, false), often(1, true)),
});
