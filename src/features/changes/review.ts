import type { Bench } from '../../changes/decide.ts';
import { REVIEW_ACTION } from '../../changes/messages/actions.ts';
import { titleOf } from '../../changes/messages/words.ts';
import { mentionUser, mrkdwn, section, topText } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Answer, FormRoute, Person } from '../../slack/routes.ts';
import { FIELDS, NOTHING_TO_DECIDE, REVIEW_TITLE, Reviewed, reviewForm } from './review-view.ts';

/** The id of the form. */
export const DECIDED = 'changes.decided';

type Verdict = 'approve' | 'reject';

/** **Review**: what the change would do now, and the decision (design section 5). */
export function createReview(bench: Bench): FormRoute {
  return {
    actionId: REVIEW_ACTION,
    callbackId: DECIDED,
    title: REVIEW_TITLE,
    async fill({ person, value = '' }, show) {
      await show(reviewForm(await bench.review(person, value), person.userId));
    },
    submit({ person, values, state }) {
      if (state === NOTHING_TO_DECIDE) return { answer: () => Promise.resolve(undefined) };
      const decision = values[FIELDS.decision];
      if (decision !== 'approve' && decision !== 'reject') {
        return { errors: { [FIELDS.decision]: 'Choose Approve or Reject.' } };
      }
      const comment = textOf(values[FIELDS.comment]).trim();
      const reviewed = Reviewed.parse(JSON.parse(state));
      return { answer: () => decide(bench, person, { ...reviewed, decision, comment }) };
    },
  };
}

/** @throws Refusal for whoever may not, or is too late; PlatformError */
async function decide(
  bench: Bench,
  person: Person,
  { id, shown, decision, comment }: Reviewed & { decision: Verdict; comment: string },
): Promise<Answer> {
  if (decision === 'reject') {
    const change = await bench.reject(person, id, { comment });
    const who = mentionUser(change.requester.userId);
    return line(mrkdwn`Rejected: *${titleOf(change)}*. Nothing is changed, and ${who} is told.`);
  }
  const change = await bench.approve(person, id, { comment, shown });
  return line(
    mrkdwn`Approved: *${titleOf(change)}*. It is being carried out, and the card tells how it ends.`,
  );
}

/** One sentence as an answer. */
function line(text: Mrkdwn): Answer {
  return { text: topText(text), blocks: [section(text)] };
}

function textOf(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value : '';
}
