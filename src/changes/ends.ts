import { z } from 'zod';
import { PlatformError, problemOf } from '../platform/errors.ts';
import { Refusal } from '../lib/errors.ts';

/** How a change ended. The code decides what a message says and offers; the sentence is for people. */
const CODES = [
  // succeeded
  'done',
  'unread',
  /** Reading back shows something else. */
  'otherwise',
  'partly',
  /** The platform had nothing to do. */
  'nothing',
  'granted',
  'later',
  /** The platform's decision is not known. */
  'unsaid',
  // failed
  /** The sentence has the next step. */
  'declined',
  'not-accepted',
  'gone',
  'busy',
  'denied',
  'not-done',
  /** The token of a lost secret was deleted. */
  'deleted',
  // unknown
  'unclear',
  /** Redis lost what came after the approval. */
  'forgotten',
  /** As `forgotten`, and it was done: its secret may be in use. */
  'in-use',
  /** A token exists whose secret is lost. */
  'left',
  // refused before it was sent
  'late',
  'silent',
  'unconfirmed',
  'requester-lost',
  'approver-lost',
  'off',
  'unverified',
  // drifted
  'changed',
  'conflict',
  // of a secret that was not seen
  'cleaned',
  'not-cleaned',
  'key-stays',
  'kept',
] as const;

export const End = z.object({
  code: z.enum(CODES),
  sentence: z.string(),
  /** The sentence advises to ask again. */
  again: z.literal(true).optional(),
});
export type End = z.infer<typeof End>;
export type EndCode = End['code'];

function end<const Code extends EndCode>(code: Code, sentence: string) {
  return { code, sentence };
}

function again(code: EndCode, sentence: string): End {
  return { code, sentence, again: true };
}

const FORGOTTEN =
  'Redis lost what came after the approval, so Purser cannot know whether it was sent, and does not send it again.';

export const UNVERIFIED = again(
  'unverified',
  'The approval cannot be verified: the stored request was edited, or SECRET_KEY was replaced since. Nothing more is done for it: ask again.',
);
export const UNVERIFIED_TOKEN = again(
  'unverified',
  `${UNVERIFIED.sentence} Its token may still be there: delete it with /billing tokens delete.`,
);
export const LATE = again('late', 'It was approved too long ago, more than 15 minutes: ask again.');
export const OFF = again(
  'off',
  'Changes were switched off (CHANGES=off) for 15 minutes after its approval: ask again when they are on.',
);
export const UNCONFIRMED = again(
  'unconfirmed',
  'Redis did not confirm that a replica has the request, for 15 minutes: your Purser administrator has to look after Redis; then ask again.',
);
export const SILENT = end(
  'silent',
  'For 15 minutes Slack or the platform did not confirm that it may still be sent.',
);
export const NOT_DONE = end('not-done', 'The platform did not confirm it, and nothing was done.');
export const UNCLEAR = end(
  'unclear',
  'The platform did not confirm it, and Purser could not find out whether it was done.',
);
export const NOT_KNOWN = end('forgotten', FORGOTTEN);
export const NO_EFFECT = end('forgotten', `${FORGOTTEN} What is there shows no effect.`);
const IN_USE = {
  token:
    'Redis lost what came after the approval. The token was created, and Purser cannot know whether it was revealed: if its requester does not have it, delete it with /billing tokens delete.',
  'superuser key':
    'Redis lost what came after the approval. The org was created, and Purser cannot know whether its superuser key was revealed: if its requester does not have it, delete it in the org itself, under its service accounts.',
};
export const DELETED = end(
  'deleted',
  'The platform created the token and its secret was lost on the way, so it was deleted.',
);
export const LEFT = end(
  'left',
  'The platform created the token, its secret was lost on the way, and it could not be deleted: delete it with /billing tokens delete.',
);
export const KEY_STAYS = end(
  'key-stays',
  'No API deletes such a key: delete it in the org itself, under its service accounts.',
);
/** Redis may have lost that it was revealed: then it is in use. */
export const KEPT = end(
  'kept',
  'Redis was restarted or restored since it was sealed, so Purser cannot know whether it was revealed, and did not delete it: if its requester does not have it, delete it with /billing tokens delete.',
);
export const CLEANED = end(
  'cleaned',
  'The token was deleted; it may go on working for up to 5 minutes.',
);
export const NOT_CLEANED = end(
  'not-cleaned',
  'The token could not be deleted: delete it with /billing tokens delete.',
);

/** Redis lost what came after the approval, and it was done. */
export function inUse(what: keyof typeof IN_USE): End {
  return end('in-use', IN_USE[what]);
}

/** It has the next step of its cause. */
export function notSentAgain(why: End): End {
  const sentence = `The platform did not do it, and it was not sent again. ${why.sentence}`;
  return { ...why, sentence };
}

/** The requester or the approver has lost the right: others read the sentence, too. */
export function lostRight(
  part: 'requester' | 'approver',
  { email }: { readonly email?: string | undefined },
): End {
  const who = email === undefined ? `The ${part}` : `The ${part}, ${email},`;
  const what = part === 'requester' ? 'ask for it' : 'approve it';
  return end(`${part}-lost`, `${who} can no longer ${what}: ${WHY_LOST}`);
}

export const WHY_LOST = 'a role, an account, an e-mail address or a setting has changed.';

/**
 * The end of a change that the platform or a rule refused.
 * @param own the explanation of its kind, which has the next step
 */
export function refusedBy(
  error: unknown,
  own: (Pick<End, 'sentence' | 'again'> & { readonly code: string }) | undefined,
): End {
  if (error instanceof Refusal) return end('declined', error.message);
  if (!(error instanceof PlatformError)) return end('not-accepted', UNEXPLAINED);
  if (own !== undefined) {
    const { code, sentence, again } = own;
    return { code: code === 'gone' ? 'gone' : 'declined', sentence, again };
  }
  const { what, next, says } = problemOf(error);
  const sentence = says === undefined ? `${what}.` : `${what}. ${says}`;
  return end(next === undefined ? 'not-accepted' : CODE_BY_NEXT[next], sentence);
}

const CODE_BY_NEXT = { said: 'declined', 'in a minute': 'busy' } as const;
const UNEXPLAINED = 'The platform’s answer cannot be understood.';
