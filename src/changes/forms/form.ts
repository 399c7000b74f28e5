import type { Button } from '@slack/types';
import { button } from '../../slack/kit/blocks.ts';
import type { FormRoute, Opening } from '../../slack/routing/routes.ts';
import { COMMANDS, type ChangeInput, type ChangeKind } from '../kinds/kinds.ts';
import type { Given, RequestForm } from './request-form.ts';

/**
 * The forms. `alert.set` becomes create or replace, whichever fits; `alert.off` replaces; `access.ask` becomes
 * `user.add` or `user.roles` for one's own address.
 */
export type FormName =
  Exclude<ChangeKind, 'alert.create' | 'alert.replace'> | 'alert.set' | 'alert.off' | 'access.ask';

export type Forms = Readonly<Record<FormName, RequestForm<ChangeInput>>>;

export type RequestForms = Readonly<Record<FormName, FormRoute>>;

export function openingOf(forms: RequestForms, name: FormName, given: Given = {}): Opening {
  return { form: forms[name], value: valueOf(given) };
}

/** A button that opens a form; the form itself checks who may send it. */
export function askButton(
  forms: RequestForms,
  name: FormName,
  text: string,
  given: Given = {},
): Button {
  return button({ action: forms[name].actionId, text, value: valueOf(given) });
}

/** The buttons below the output of this command, such as `/billing users`, one per kind. */
export function askButtons(forms: RequestForms, look: string, given: Given = {}): Button[] {
  return Object.entries(COMMANDS).flatMap(([kind, command]) =>
    command.look === look && command.button !== undefined
      ? [askButton(forms, kind as keyof RequestForms & ChangeKind, command.button, given)]
      : [],
  );
}

function valueOf(given: Given): string {
  return JSON.stringify(given);
}
