import { button, code, mentionUser, moment, mrkdwn } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Change, Sealed } from '../change.ts';
import { REVEAL_ACTION } from './actions.ts';
import { commandFor, sentenceOf } from './words.ts';

/** What became of the secret, for everybody who reads the card. Pure. */
export function secretLine(change: SecretOwner, secret: Sealed): Mrkdwn {
  const { state, what, until, at } = secret;
  const who = mentionUser(change.requester.userId);
  switch (state) {
    case 'sealed':
      return mrkdwn`:lock: The ${what} waits for ${who}, who alone can reveal it, until ${moment(until)}: ${whereRevealed(change)}.`;
    case 'opening':
      return mrkdwn`:lock: The ${what} is being shown to ${who}.`;
    case 'revealed':
      return mrkdwn`:lock: The ${what} was shown to ${who}, once, ${moment(at)}.`;
    case 'lapsed':
    case 'lost':
      return mrkdwn`:lock: ${whyGivenUp(secret)} ${cleared(secret)}`;
  }
}

type SecretOwner = Pick<Change, 'id' | 'requester' | 'dm'>;

/** Where the button is, which is not on the card. */
function whereRevealed({ id, dm }: SecretOwner): Mrkdwn {
  const place = dm === undefined ? 'in the thread of the card' : 'in their messages with Purser';
  return mrkdwn`${place}, or with ${code(`/changes show ${id}`)}`;
}

/** The same, for the one whom it belongs to; undefined where the message about its end says it. Pure. */
export function ownSecretLine({ what, state, until, at }: Sealed): Mrkdwn {
  switch (state) {
    case 'sealed':
      return mrkdwn`:lock: The ${what} is shown *once*, to you alone, until ${moment(until)}: reveal it when you can put it away.`;
    case 'opening':
      return mrkdwn`:lock: The ${what} is being shown to you.`;
    case 'revealed':
      return mrkdwn`:lock: The ${what} was shown to you, once, ${moment(at)}. It cannot be shown again.`;
    case 'lapsed':
    case 'lost':
      return mrkdwn`:lock: The ${what} was not shown and cannot be any more: the message below says what to do.`;
  }
}

/** What the requester is told of a secret that was given up, with the next step. Pure. */
export function givenUpText(change: Change, secret: Sealed): Mrkdwn {
  const said = mrkdwn`:warning: ${whyGivenUp(secret)} ${cleared(secret)}`;
  if (secret.what !== 'token') return said;
  return mrkdwn`${said} If you still need one, ask again with ${code(commandFor(change))}.`;
}

export function revealButton(id: string) {
  return button({ action: REVEAL_ACTION, text: 'Reveal', value: id, style: 'primary' });
}

function whyGivenUp({ state, what, at, until }: Sealed): string {
  if (state === 'lost') return `The ${what} never got here: the platform’s answer was lost.`;
  return at < until
    ? `The ${what} was not seen, as far as Purser can tell.`
    : `Nobody revealed the ${what} in time.`;
}

/** What became of the token, or is still to be done. */
function cleared({ what, cleaned }: Sealed): string {
  if (cleaned !== undefined) return sentenceOf(cleaned);
  return what === 'token'
    ? 'The token is being deleted.'
    : 'No API deletes such a key: delete it in the org itself, under its service accounts.';
}
