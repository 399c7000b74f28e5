import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { Change } from '../../changes/change.ts';
import { planHash } from '../../changes/change.ts';
import type { ReviewView } from '../../changes/decide.ts';
import { whatChanged } from '../../changes/drift.ts';
import { origin } from '../../changes/messages/card-view.ts';
import { consequenceBlocks, planBlocks } from '../../changes/messages/plan-view.ts';
import { sentenceOf, titleOf } from '../../changes/messages/words.ts';
import { context, mrkdwn, radios, section, textInput } from '../../slack/kit/index.ts';
import type { FormContent } from '../../slack/routes.ts';

/** The fields of the form, by block id. */
export const FIELDS = { decision: 'changes-decision', comment: 'changes-comment' } as const;

export const REVIEW_TITLE = 'Review a change';
/** A comment is quoted whole on the card. */
const COMMENT_LENGTH = 500;

/** What is reviewed, and what was shown of it: planHash of the plan. */
export const Reviewed = z.object({ id: z.string(), shown: z.string() });
export type Reviewed = z.infer<typeof Reviewed>;

/** What the change would do now, read a moment ago, and the decision on it. Pure. */
export function reviewForm(view: ReviewView, userId: string): FormContent {
  const { change, plan, noDecision } = view;
  const reviewed: Reviewed = { id: change.id, shown: planHash(plan) };
  const isOwn = change.requester.userId === userId;
  return {
    title: REVIEW_TITLE,
    submit: noDecision === undefined ? 'Decide' : 'OK',
    blocks: [
      ...about(change, plan),
      ...standing(view),
      ...(isOwn && noDecision === undefined ? [section(OWN)] : []),
      ...(noDecision === undefined ? decisionFields() : [context(mrkdwn`${noDecision}`)]),
    ],
    state: noDecision === undefined ? JSON.stringify(reviewed) : NOTHING_TO_DECIDE,
  };
}

/** State of a form that is only looked at. */
export const NOTHING_TO_DECIDE = '';

/** What stands between the request and a decision on it. */
function standing({ change, plan, isChanged, conflict }: ReviewView): KnownBlock[] {
  if (conflict !== undefined) {
    return [
      section(mrkdwn`:warning: *It cannot be approved as things are*: ${sentenceOf(conflict)}`),
    ];
  }
  if (!isChanged) return [];
  const what = whatChanged(change.plan, plan, 'when it was requested');
  return [
    section(
      mrkdwn`:warning: *This is not what was requested any more.* ${what === undefined ? '' : `${sentenceOf(what)} `}You decide on what you see here.`,
    ),
  ];
}

const OWN = mrkdwn`:warning: You asked for this yourself (ALLOW_SELF_APPROVAL): the card and the audit will say so.`;

function about(change: Change, plan: Change['plan']): KnownBlock[] {
  return [
    section(mrkdwn`*${titleOf(change)}*\n${origin(change)}`),
    ...planBlocks(plan),
    ...consequenceBlocks(plan),
  ];
}

/** Nothing is chosen at first: nobody approves by pressing return. */
function decisionFields(): KnownBlock[] {
  return [
    radios({
      id: FIELDS.decision,
      label: 'Decision',
      options: [
        { text: 'Approve', value: 'approve' },
        { text: 'Reject', value: 'reject' },
      ],
    }),
    textInput({
      id: FIELDS.comment,
      label: 'Comment',
      hint: 'Shown on the card, and kept in the audit.',
      optional: true,
      multiline: true,
      maxLength: COMMENT_LENGTH,
    }),
  ];
}
