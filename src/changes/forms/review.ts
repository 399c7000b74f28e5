import type { Button, KnownBlock } from '@slack/types';
import { z } from 'zod';
import { actions, alert, button, context, section } from '../../slack/kit/blocks.ts';
import { code, joinMrkdwn, mentionUser, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type {
  Answer,
  FormContent,
  FormRoute,
  ModalRoute,
  Person,
  RevealRoute,
} from '../../slack/routing/routes.ts';
import { planHash, type Change } from '../change.ts';
import { whatChanged } from '../drift.ts';
import {
  consequenceBlocks,
  planBlocks,
  REJECT_ACTION,
  REVEAL_ACTION,
  REVIEW_ACTION,
  sentenceOf,
  titleOf,
  warningLines,
  WITHDRAW_HERE_ACTION,
} from '../messages/plan-view.ts';
import { headingOf } from '../messages/state-line.ts';
import type { SecretReveal } from '../reveal.ts';
import type { ReviewService, ReviewView } from '../request.ts';
import { textField } from './fields.ts';

export const REVIEW_TITLE = 'Review a change';
const REJECT_TITLE = 'Reject a change';
/** One line, quoted on the card. */
export const COMMENT = textField({
  id: 'changes-comment',
  label: 'Comment',
  hint: 'Shown to the requester and on the card.',
  optional: true,
  max: 300,
});

/** The reviewed change; `shown`: planHash of the plan on screen. */
export const Reviewed = z.object({ id: z.string(), shown: z.string() });
export type Reviewed = z.infer<typeof Reviewed>;

/** Warnings, a fresh plan, and the decision on it. Without **Approve** where it cannot be approved. Pure. */
export function reviewForm(view: ReviewView, userId: string): FormContent {
  const { change, plan, conflict, noDecision } = view;
  const reviewed: Reviewed = { id: change.id, shown: planHash(plan) };
  const isOpen = noDecision === undefined;
  const isApprovable = isOpen && conflict === undefined;
  const isOwn = change.requester.userId === userId;
  const buttons = [
    ...(isOpen ? [rejectButton(change.id)] : []),
    ...(isOwn ? [withdrawButton(change.id)] : []),
  ];
  return {
    title: REVIEW_TITLE,
    ...(isApprovable && { submit: 'Approve' }),
    blocks: [
      ...warnings(view),
      ...(isOwn && isOpen ? [alert('warning', OWN)] : []),
      section(headingOf(change)),
      ...(conflict === undefined
        ? [...planBlocks(plan), ...consequenceBlocks(plan)]
        : planBlocks(change.plan, undefined, 'requested')),
      ...(noDecision === undefined ? [] : [context(mrkdwn`${noDecision}`)]),
      ...(buttons.length === 0 ? [] : [actions(...buttons)]),
    ],
    state: isApprovable ? JSON.stringify(reviewed) : NOTHING_TO_DECIDE,
  };
}

export const NOTHING_TO_DECIDE = '';

/** Why it cannot be approved, differences from the request, and effects that are hard to undo. */
function warnings({ change, plan, isChanged, conflict }: ReviewView): KnownBlock[] {
  const hard = warningLines(change, plan).map((one) =>
    alert('warning', mrkdwn`${one.replace(/^⚠\s*/, '')}`),
  );
  if (conflict !== undefined) {
    return [alert('error', mrkdwn`*It cannot be approved now.* ${sentenceOf(conflict)}`), ...hard];
  }
  if (!isChanged) return hard;
  const what = whatChanged(change.plan, plan, 'when it was requested') ?? '';
  return [alert('warning', mrkdwn`*Changed since the request.* ${sentenceOf(what)}`), ...hard];
}

const OWN = mrkdwn`You requested this yourself: the card and the audit will say so.`;

function withdrawButton(id: string): Button {
  return button({ action: WITHDRAW_HERE_ACTION, text: 'Withdraw', value: id });
}

function rejectButton(id: string): Button {
  return button({ action: REJECT_ACTION, text: 'Reject...', value: id });
}

export const APPROVED = 'changes.decided';
export const REJECTED = 'changes.rejected';

/** **Review**: the fresh plan; sending it approves (design section 5). @param hasWorker whether one is running */
export function createReviewForm(
  reviews: ReviewService,
  hasWorker: () => Promise<boolean>,
): FormRoute {
  return {
    actionId: REVIEW_ACTION,
    callbackId: APPROVED,
    title: REVIEW_TITLE,
    async fill({ person, value = '' }, show) {
      await show(reviewForm(await reviews.review(person, value), person.userId));
    },
    submit({ person, state }) {
      if (state === NOTHING_TO_DECIDE) return { answer: () => Promise.resolve(undefined) };
      const { id, shown } = Reviewed.parse(JSON.parse(state));
      return {
        async answer() {
          const change = await reviews.approve(person, id, shown);
          const next = (await hasWorker()) ? UNDER_WAY : WAITS_FOR_WORKER;
          return line(mrkdwn`Approved: *${titleOf(change)}*. ${next}`);
        },
      };
    },
  };
}

const UNDER_WAY = 'It is being carried out, and the card shows how it ends.';
const WAITS_FOR_WORKER =
  'No worker of Purser is running, so it waits: in 15 minutes it is refused, and has to be requested again.';

/** **Reject...**, on top of the review: a comment, and the end of the request. */
export function createRejectForm(reviews: ReviewService): FormRoute {
  return {
    actionId: REJECT_ACTION,
    callbackId: REJECTED,
    title: REJECT_TITLE,
    clears: true,
    fill: ({ value = '' }, show) => show(rejectForm(value)),
    submit({ person, values, state: id }) {
      const comment = COMMENT.read({ values });
      if ('error' in comment) return { errors: { [COMMENT.id]: comment.error } };
      return {
        async answer() {
          const change = await reviews.reject(person, id, { comment: comment.value });
          const who = mentionUser(change.requester.userId);
          return line(
            mrkdwn`Rejected: *${titleOf(change)}*. Nothing was changed, and ${who} is notified.`,
          );
        },
      };
    },
  };
}

/** @throws Refusal */
export async function withdrawn(
  reviews: ReviewService,
  person: Person,
  id: string,
): Promise<Pick<Answer, 'blocks'>> {
  const change = await reviews.withdraw(person, id);
  return line(mrkdwn`Withdrawn: *${titleOf(change)}*. Nothing is changed.`);
}

/** **Withdraw** in the review, which then shows that. */
export function createWithdrawModal(reviews: ReviewService): ModalRoute {
  return {
    actionId: WITHDRAW_HERE_ACTION,
    title: REVIEW_TITLE,
    load: async ({ person, value = '' }) => ({
      title: REVIEW_TITLE,
      ...(await withdrawn(reviews, person, value)),
    }),
  };
}

/** @param id of the change */
function rejectForm(id: string): FormContent {
  return { title: REJECT_TITLE, submit: 'Reject', blocks: [COMMENT.block()], state: id };
}

function line(text: Mrkdwn): Answer {
  return { blocks: [section(text)] };
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
