import type { KnownBlock } from '@slack/types';
import type { Principal } from '../../access/policy.ts';
import { changeAt, isOpen, type Change } from '../../changes/change.ts';
import type { Changes } from '../../changes/changes.ts';
import { DETAILS, detailsButton, reviewButton, WITHDRAW } from '../../changes/messages/messages.ts';
import { titleOf } from '../../changes/messages/plan-view.ts';
import { signOf, wordOf } from '../../changes/messages/state-line.ts';
import { isRequester, mayDecide } from '../../changes/context.ts';
import { formatAge, formatDuration } from '../../lib/text.ts';
import { DAY_MS } from '../../lib/time.ts';
import { actions, menuSection, section } from '../../slack/kit/blocks.ts';
import { mentionUser, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { HomePart, Person } from '../../slack/routing/routes.ts';
import { runButton } from '../notices.ts';

const MAX_LISTED = 5;

function waitingBlocks(waiting: readonly Change[], now: number): KnownBlock[] {
  return listed(waiting, (change) =>
    section(
      mrkdwn`*${titleOf(change)}*\n${mentionUser(change.requester.userId)} requested it ${age(change, now)} · ${deadline(change, now)}`,
      reviewButton(change.id),
    ),
  );
}

function ownBlocks(own: readonly Change[], now: number): KnownBlock[] {
  return listed(own, (change) => {
    const { id } = change;
    const text = ownText(change, now);
    return isUndecided(change)
      ? menuSection(text, id, [WITHDRAW, DETAILS])
      : section(text, detailsButton(id));
  });
}

function listed(changes: readonly Change[], blockOf: (change: Change) => KnownBlock): KnownBlock[] {
  const hidden = changes.length - MAX_LISTED;
  return [
    ...changes.slice(0, MAX_LISTED).map(blockOf),
    ...(hidden > 0 ? [actions(runButton(`${hidden} more`, '/changes'))] : []),
  ];
}

function ownText(change: Change, now: number): Mrkdwn {
  const parts = isUndecided(change) ? mrkdwn` · ${deadline(change, now)}` : mrkdwn``;
  return mrkdwn`${signOf(change)} *${titleOf(change)}*\n${wordOf(change)} · requested ${age(change, now)}${parts}`;
}

function isUndecided({ state }: Change): boolean {
  return state === 'pending';
}

function age({ requestedAt }: Change, now: number): string {
  return formatAge(now - requestedAt);
}

function deadline({ expiresAt }: Change, now: number): string {
  return `expires in ${formatDuration(expiresAt - now)}`;
}

type HomeContext = Pick<Changes, 'approvals' | 'changes' | 'clock' | 'kindOf'>;

/** How many of the latest requests are searched for those that ended recently. */
const LATEST = 100;
/** A request that ended stays listed this long, so that its requester sees how. Milliseconds. */
const RECENT_MS = DAY_MS;

export function createChangesHome(context: HomeContext): readonly HomePart<Principal>[] {
  const { changes, clock } = context;
  return [
    {
      title: 'Waiting for you',
      rank: 20,
      fill: async (_, who) => waitingBlocks(await waitingFor(context, who), clock.now()),
      fingerprint: async () =>
        (await openNow(context))
          .map(({ id, state }) => `${id} ${state}`)
          .toSorted()
          .join(' '),
    },
    {
      title: 'Your requests',
      rank: 25,
      async fill(person) {
        const [open, latest] = await Promise.all([openNow(context), changes.list(0, LATEST)]);
        return ownBlocks(ownOf(open, latest, person, clock.now()), clock.now());
      },
    },
  ];
}

/** The open requests in their state now: one past its deadline has expired. */
async function openNow({ changes, clock }: HomeContext): Promise<Change[]> {
  return (await changes.open()).map((change) => changeAt(change, clock.now()));
}

/** Requests that a person may decide on, nearest deadline first. Without any, roles are not looked up. */
async function waitingFor(
  context: HomeContext,
  principal: () => Promise<Principal>,
): Promise<Change[]> {
  const undecided = (await openNow(context)).filter(isUndecided);
  if (undecided.length === 0) return [];
  const who = await principal();
  return undecided
    .filter((change) => mayDecide(context, change, who))
    .toSorted((a, b) => a.expiresAt - b.expiresAt);
}

/** Open requests and those that ended since yesterday, latest first. */
function ownOf(
  open: readonly Change[],
  latest: readonly Change[],
  person: Person,
  now: number,
): Change[] {
  const ended = latest.filter((change) => !isOpen(change) && change.requestedAt > now - RECENT_MS);
  const own = (all: readonly Change[]) => all.filter((change) => isRequester(change, person));
  return [...own(open).toReversed(), ...own(ended)];
}
