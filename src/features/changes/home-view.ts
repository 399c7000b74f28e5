import type { Button, KnownBlock } from '@slack/types';
import type { Change } from '../../changes/change.ts';
import { reviewButton, withdrawButton } from '../../changes/messages/card-view.ts';
import { signOf, titleOf } from '../../changes/messages/words.ts';
import { formatAge, formatDuration } from '../../lib/text.ts';
import { code, context, mentionUser, mrkdwn, section } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';

/** Requests that stand on a home tab; the others are counted. */
const MOST = 5;

/** Requests that wait for this person's decision, in their order. Pure. @param now ms since the epoch */
export function waitingBlocks(waiting: readonly Change[], now: number): KnownBlock[] {
  if (waiting.length === 0) return [section(mrkdwn`Nothing waits for your decision.`)];
  return listed(waiting, (change) =>
    section(
      mrkdwn`*${titleOf(change)}*\n${mentionUser(change.requester.userId)} asked ${age(change, now)} · ${deadline(change, now)}`,
      reviewButton(change.id),
    ),
  );
}

/** This person's own requests, in their order. Pure. @param now ms since the epoch */
export function ownBlocks(own: readonly Change[], now: number): KnownBlock[] {
  if (own.length === 0) {
    return [
      section(
        mrkdwn`You have no open request. ${code('/purser whoami')} says what you may ask for.`,
      ),
    ];
  }
  return listed(own, (change) => section(ownText(change, now), ownButton(change, now)));
}

function listed(changes: readonly Change[], blockOf: (change: Change) => KnownBlock): KnownBlock[] {
  const hidden = changes.length - MOST;
  return [
    ...changes.slice(0, MOST).map(blockOf),
    ...(hidden > 0 ? [context(mrkdwn`… and ${hidden} more: ${code('/changes')}`)] : []),
  ];
}

function ownText(change: Change, now: number): Mrkdwn {
  const { id, state } = change;
  const parts = isUndecided(change, now) ? mrkdwn` · ${deadline(change, now)}` : mrkdwn``;
  return mrkdwn`${signOf(state)} *${titleOf(change)}*\n${state} · asked ${age(change, now)}${parts} · ${code(`/changes show ${id}`)}`;
}

function ownButton(change: Change, now: number): Button | undefined {
  return isUndecided(change, now) ? withdrawButton(change.id) : undefined;
}

/** It can be decided on, or withdrawn. */
export function isUndecided({ state, expiresAt }: Change, now: number): boolean {
  return state === 'pending' && now < expiresAt;
}

function age({ requestedAt }: Change, now: number): string {
  return formatAge(now - requestedAt);
}

function deadline({ expiresAt }: Change, now: number): string {
  return `expires in ${formatDuration(expiresAt - now)}`;
}
