import type { Button } from '@slack/types';
import { askButton, type RequestForms } from '../../changes/forms/form.ts';
import type { Refusal } from '../../lib/errors.ts';
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
