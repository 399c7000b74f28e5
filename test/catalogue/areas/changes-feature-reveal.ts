import { createSecretReveal } from '../../../src/changes/reveal.ts';
import type { Change } from '../../../src/changes/change.ts';
import { createRevealRoute } from '../../../src/changes/forms/review.ts';
import type { ChangeEvent } from '../../../src/changes/states.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { MINUTE, modal, type Area, type Entry } from '../entry.ts';
import {
  ADA,
  BEN,
  eventsOf,
  filed,
  happen,
  fakeOf,
  ORDERS,
  standingOf,
  type Someone,
} from './changes-feature-data.ts';
import { reading, refusedIn } from './changes-feature-modals.ts';
import type { ChangeInput } from '../../../src/changes/kinds/kinds.ts';

interface Case {
  readonly order?: ChangeInput;
  readonly what?: 'token' | 'superuser key';
  readonly by?: Someone;
  /** The events of the secret before a person clicks. */
  readonly after?: (events: ReturnType<typeof eventsOf>) => readonly ChangeEvent[];
  /** How much later than ever a person clicks. Minutes. */
  readonly late?: number;
  readonly hasVault?: boolean;
  /** The platform’s answer was lost, and the secret with it. */
  readonly isLost?: boolean;
  /** The stored secret cannot be opened. */
  readonly isSpoilt?: boolean;
  readonly roles?: readonly string[];
}

const token: ChangeInput = {
  kind: 'token.create',
  name: 'ci',
  description: '',
  roles: ['billing_viewer'],
};

/** A made-up secret, taken by a click. */
async function taken(one: Case) {
  const { order = token, what = 'token', by = ADA, after, late = 0, hasVault = true } = one;
  const fake = fakeOf();
  const { cipher } = fake.context;
  const change = await filed(fake, order);
  const events = eventsOf(change);
  const claimed = await happen(fake, events.approve, events.claim);
  const ended = one.isLost === true ? events.lost : events.sealed;
  const secret = { ...ended.secret, what };
  const sealed = one.isSpoilt
    ? 'spoilt'
    : (cipher?.seal(change, new Secret('made-up.k7Qd2mX9vB4')) ?? '');
  await fake.changes.move(
    claimed,
    { ...ended, secret },
    { secret: { sealed, forMs: 20 * MINUTE } },
  );
  if (after !== undefined) await happen(fake, ...after(events));
  fake.clock.at += late * MINUTE;
  const principal = async () => ({
    ...standingOf(by),
    ...(one.roles && { roles: one.roles }),
  });
  const deps = {
    ...fake.context,
    ...(hasVault ? {} : { cipher: undefined }),
    access: { principal },
  };
  return createRevealRoute(createSecretReveal(deps)).take({
    person: by,
    channelId: 'D0ADA',
    value: change.id,
  });
}

const { title } = createRevealRoute({ take: () => Promise.reject(new Error('nothing is taken')) });

const shown = (id: string, when: string, one: Case): Entry =>
  modal(`reveal-${id}`, when, () => taken(one));
const refused = (id: string, when: string, one: Case): Entry =>
  refusedIn(`reveal-refused-${id}`, when, title, () => taken(one));

/** Of the making alone there is no secret. */
async function nothing(): Promise<Change> {
  const fake = fakeOf();
  return filed(fake, ORDERS['alert.replace']);
}

export const reveal: Area = {
  id: 'reveal',
  title: 'A secret is revealed',
  entries: [
    reading('reveal-reading', 'Reveal was clicked on, and the secret is on its way.', title),
    shown('token', 'The requester reveals a token that does not expire.', {}),
    shown('token-with-end', 'The requester reveals a token with an end.', {
      order: ORDERS['token.create'],
    }),
    shown('token-many-roles', 'The requester reveals a token with all roles.', {
      order: { ...token, roles: ['billing_admin', 'billing_viewer', 'org_creator'] },
    }),
    shown('superuser-key', 'The requester reveals the key of a new org.', {
      order: ORDERS['org.create'],
      what: 'superuser key',
    }),
    refused('not-yours', 'Another person than the requester clicks on Reveal.', { by: BEN }),
    refused('no-role', 'The requester has lost the role meanwhile.', { roles: ['billing_viewer'] }),
    refused('too-late', 'The quarter of an hour is over.', { late: 6 }),
    refused('in-another-window', 'The secret is being shown at this moment.', {
      after: ({ open }) => [open],
    }),
    refused('already', 'The secret was shown already.', {
      after: ({ open, reveal: seen }) => [open, seen],
    }),
    refused('given-up', 'The secret was given up.', { after: ({ open, lapse }) => [open, lapse] }),
    refused('lost', 'The secret never arrived.', { isLost: true }),
    refused('superuser-key-gone', 'The key of an org was given up.', {
      order: ORDERS['org.create'],
      what: 'superuser key',
      after: ({ open, lapse }) => [open, lapse],
    }),
    refused('no-key', 'The key that it was encrypted with is no longer set.', {
      hasVault: false,
    }),
    refused('unreadable', 'The stored secret cannot be opened.', { isSpoilt: true }),
    refusedIn('reveal-refused-nothing', 'The request has no secret.', title, async () => {
      const change = await nothing();
      const fake = fakeOf();
      await fake.changes.create(change);
      return createRevealRoute(createSecretReveal(fake.context)).take({
        person: ADA,
        channelId: 'D0ADA',
        value: change.id,
      });
    }),
  ],
};
