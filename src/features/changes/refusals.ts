import type { Button } from '@slack/types';
import { askButton, type RequestForms } from '../../changes/forms/form.ts';
import type { Refusal } from '../../lib/errors.ts';
import { section } from '../../slack/kit/blocks.ts';
import { joinMrkdwn, mentionUser, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import { warningAnswer } from '../../slack/replies/reply.ts';
import type { Answer } from '../../slack/routing/routes.ts';

/** @param roles any of these would do */
export function accessButton(forms: RequestForms, roles: readonly string[]): Button {
  return askButton(forms, 'access.ask', 'Ask for access', { roles: roles.join() });
}

/** For a person who lacks a role: the sentence, and the button that asks for it. Undefined: no role would help. */
export function createAccessAnswer(forms: RequestForms): (refusal: Refusal) => Answer | undefined {
  return ({ message, roles = [] }) =>
    roles.length === 0
      ? undefined
      : { ...warningAnswer(message), buttons: [accessButton(forms, roles)] };
}

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
