import { askButton, type RequestForms } from '../../changes/forms/form.ts';
import type { Refusal } from '../../lib/errors.ts';
import { section } from '../../slack/kit/blocks.ts';
import { joinMrkdwn, mentionUser, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';

/** Our own sentence, with the ids of the remembered accounts in brackets. */
const WITH_IDS = /^([^(]*\()([A-Z0-9, ]+)(\).*)$/;

/** For a person whose e-mail address is in use by another Slack account: who that is, and the way out. */
export function createIdentityAnswer(forms: RequestForms): (refusal: Refusal) => Answer {
  return ({ message }) => {
    const text = mrkdwn`:warning: ${withMentions(message)}`;
    return {
      blocks: [section(text)],
      buttons: [askButton(forms, 'identity.confirm', 'Ask to confirm')],
    };
  };
}

function withMentions(message: string): Mrkdwn {
  const [, before = message, ids, after = ''] = WITH_IDS.exec(message) ?? [];
  if (ids === undefined) return mrkdwn`${message}`;
  return mrkdwn`${before}${joinMrkdwn(ids.split(', ').map(mentionUser), ', ')}${after}`;
}
