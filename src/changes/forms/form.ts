import type { Button, KnownBlock } from '@slack/types';
import { button } from '../../slack/kit/blocks.ts';
import type { FormRoute, FormValues, Opening, Person } from '../../slack/routing/routes.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import { COMMANDS, type ChangeInput, type ChangeKind } from '../kinds/kinds.ts';

/** A form as it opens. */
export interface FormView {
  readonly notes?: readonly string[];
  readonly consequences: readonly string[];
  /** With the labels of design section 5. */
  readonly fields: readonly KnownBlock[];
  /** Comes back with the form, such as the amount that was shown; no secret. */
  readonly memory?: Given;
}

/** The forms. `alert.set` becomes create or replace, whichever fits; `alert.off` replaces. */
export type FormName =
  Exclude<ChangeKind, 'alert.create' | 'alert.replace'> | 'alert.set' | 'alert.off';
/**
 * Initial values from a command, a button or a choice: the `amount` of the alert, the `email` of a user or a recipient,
 * the `id` of a recipient or a token, the `name` of a token, an org or a quota, the `org` of a quota. Unknown values
 * are ignored.
 */
export type Given = Readonly<Record<string, string>>;
export type ReadForm =
  | { readonly input: ChangeInput }
  | { readonly errors: Record<string, string> }
  | { readonly refusal: string };

export interface Opened {
  readonly platform: BillingClient;
  readonly given: Given;
  /** Ms since the epoch. */
  readonly now: number;
  readonly person: Person;
}

export interface Submitted {
  readonly values: FormValues;
  readonly memory: Given;
  /** Ms since the epoch. */
  readonly now: number;
  readonly person: Person;
}

export interface RequestForm {
  /** At most 24 characters. */
  readonly title: string;
  /** From a fresh read. @throws Refusal when there is nothing to request; PlatformError */
  open(opened: Opened): Promise<FormView>;
  /** The input, or errors by field id, one sentence each. Pure. */
  read(submitted: Submitted): ReadForm;
  /** It takes a review also with APPROVALS=off. */
  readonly isAlwaysReviewed?: true;
  /** The field under which a conflict is shown; absent when the form has no field. */
  readonly conflictField?: string | ((why: string) => string);
  /** The field that others depend on, and its name in `Given` when the form is filled again. */
  readonly tells?: { readonly field: string; readonly given: string };
}

export type Forms<Name extends FormName = FormName> = Readonly<Record<Name, RequestForm>>;

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
