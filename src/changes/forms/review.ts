import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import { context, section, SIGN, topText } from '../../slack/kit/blocks.ts';
import { radios, textInput } from '../../slack/kit/inputs.ts';
import { code, joinMrkdwn, mentionUser, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import type {
  Answer,
  FormContent,
  FormRoute,
  FormValues,
  Person,
  RevealRoute,
} from '../../slack/routing/routes.ts';
import { planHash, type Change } from '../change.ts';
import { whatChanged } from '../drift.ts';
import {
  consequenceBlocks,
  planBlocks,
  REVEAL_ACTION,
  REVIEW_ACTION,
  sentenceOf,
  titleOf,
} from '../messages/plan-view.ts';
import { headingOf } from '../messages/state-line.ts';
import type { SecretReveal } from '../reveal.ts';
import type { ReviewService, ReviewView } from '../request.ts';

/** By block id. */
export const FIELDS = { decision: 'changes-decision', comment: 'changes-comment' } as const;

export const REVIEW_TITLE = 'Review a change';
/** A comment is quoted whole on the card. */
const COMMENT_LENGTH = 500;

/** The reviewed change; `shown`: planHash of the plan on screen. */
export const Reviewed = z.object({ id: z.string(), shown: z.string() });
export type Reviewed = z.infer<typeof Reviewed>;

const SUBMITS: Readonly<Record<Verdict, string>> = { approve: 'Approve', reject: 'Reject' };

/** A fresh plan, and the decision on it. Pure. @param chosen names the submit button; undefined: no choice yet */
export function reviewForm(view: ReviewView, userId: string, chosen?: Verdict): FormContent {
  const { change, plan, noDecision } = view;
  const reviewed: Reviewed = { id: change.id, shown: planHash(plan) };
  const isOwn = change.requester.userId === userId;
  return {
    title: REVIEW_TITLE,
    ...(noDecision === undefined && { submit: chosen ? SUBMITS[chosen] : 'Decide' }),
    blocks: [
      ...about(change, plan),
      ...standing(view),
      ...(isOwn && noDecision === undefined ? [section(OWN)] : []),
      ...(noDecision === undefined ? decisionFields() : [context(mrkdwn`${noDecision}`)]),
    ],
    state: noDecision === undefined ? JSON.stringify(reviewed) : NOTHING_TO_DECIDE,
  };
}

export const NOTHING_TO_DECIDE = '';

const WRONG = new Mrkdwn(SIGN.wrong);

function standing({ change, plan, isChanged, conflict }: ReviewView): KnownBlock[] {
  if (conflict !== undefined) {
    return [
      section(mrkdwn`${WRONG} *It cannot be approved as things are*: ${sentenceOf(conflict)}`),
    ];
  }
  if (!isChanged) return [];
  const what = whatChanged(change.plan, plan, 'when it was requested');
  return [
    section(
      mrkdwn`${WRONG} *This is not what was requested any more.* ${what === undefined ? '' : `${sentenceOf(what)} `}You decide on what you see here.`,
    ),
  ];
}

const OWN = mrkdwn`${WRONG} You asked for this yourself: the card and the audit will say so.`;

function about(change: Change, plan: Change['plan']): KnownBlock[] {
  return [section(headingOf(change)), ...planBlocks(plan), ...consequenceBlocks(plan)];
}

/** No initial choice: the return key must not approve. */
function decisionFields(): KnownBlock[] {
  return [
    radios({
      id: FIELDS.decision,
      label: 'Decision',
      tells: true,
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

export const DECIDED = 'changes.decided';

type Verdict = 'approve' | 'reject';

/** **Review**: the fresh plan, and the decision (design section 5). */
export function createReviewForm(reviews: ReviewService): FormRoute {
  return {
    actionId: REVIEW_ACTION,
    callbackId: DECIDED,
    title: REVIEW_TITLE,
    async fill({ person, value = '' }, show) {
      await show(reviewForm(await reviews.review(person, value), person.userId));
    },
    submit({ person, values, state }) {
      if (state === NOTHING_TO_DECIDE) return { answer: () => Promise.resolve(undefined) };
      const decision = verdictIn(values);
      if (decision === undefined) {
        return { errors: { [FIELDS.decision]: 'Choose Approve or Reject.' } };
      }
      const comment = textOf(values[FIELDS.comment]).trim();
      const reviewed = Reviewed.parse(JSON.parse(state));
      return { answer: () => decide(reviews, person, { ...reviewed, decision, comment }) };
    },
    fields: [FIELDS.decision],
    async refill({ person, values, state }) {
      const chosen = verdictIn(values);
      if (state === NOTHING_TO_DECIDE || chosen === undefined) return undefined;
      const { id, shown } = Reviewed.parse(JSON.parse(state));
      const view = await reviews.review(person, id);
      // `shown` stays that of the first plan: an approval after a change is refused.
      const isSame = view.noDecision !== undefined || planHash(view.plan) === shown;
      return isSame ? reviewForm(view, person.userId, chosen) : undefined;
    },
  };
}

function verdictIn(values: FormValues): Verdict | undefined {
  const chosen = values[FIELDS.decision];
  return chosen === 'approve' || chosen === 'reject' ? chosen : undefined;
}

/** @throws Refusal when the person may not decide, or it is too late; PlatformError */
async function decide(
  reviews: ReviewService,
  person: Person,
  { id, shown, decision, comment }: Reviewed & { decision: Verdict; comment: string },
): Promise<Answer> {
  if (decision === 'reject') {
    const change = await reviews.reject(person, id, { comment });
    const who = mentionUser(change.requester.userId);
    return line(mrkdwn`Rejected: *${titleOf(change)}*. Nothing is changed, and ${who} is told.`);
  }
  const change = await reviews.approve(person, id, { comment, shown });
  return line(
    mrkdwn`Approved: *${titleOf(change)}*. It is being carried out, and the card tells how it ends.`,
  );
}

function line(text: Mrkdwn): Answer {
  return { text: topText(text), blocks: [section(text)] };
}

function textOf(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value : '';
}

const TITLE = 'Shown once';

/** **Reveal**: the secret, once, to its requester (design section 5). */
export function createRevealRoute(secrets: SecretReveal): RevealRoute {
  return {
    actionId: REVEAL_ACTION,
    title: TITLE,
    async take({ person, value = '' }) {
      const taken = await secrets.take(person, value);
      return {
        title: TITLE,
        blocks: secretBlocks(taken.change, taken.secret.reveal()),
        shown: () => taken.shown(),
        lost: () => taken.lost(),
      };
    },
  };
}

function secretBlocks(change: Change, secret: string): KnownBlock[] {
  const what = change.secret?.what ?? 'secret';
  const facts = factsOf(change);
  return [
    section(
      mrkdwn`*${titleOf(change)}*\nThis is the ${what}. *It is shown this once*: copy it now, and keep it where secrets are kept.`,
    ),
    // Preformatted rich text is the one block that shows every character unchanged.
    {
      type: 'rich_text',
      elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: secret }] }],
    },
    ...(facts.length === 0 ? [] : [context(joinMrkdwn(facts, ' · '))]),
  ];
}

function factsOf({ order }: Change): Mrkdwn[] {
  if (order.kind === 'org.create') {
    return [mrkdwn`It can do everything in the org ${code(order.name)}`];
  }
  if (order.kind !== 'token.create') return [];
  const roles = order.roles.map((role) => code(role));
  const end = order.expiresAt === undefined ? 'never' : order.expiresAt.slice(0, 10);
  return [
    mrkdwn`Name: ${order.name}`,
    mrkdwn`Roles: ${joinMrkdwn(roles, ', ')}`,
    mrkdwn`Expires: ${end}`,
  ];
}
