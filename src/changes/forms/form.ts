import type { Button } from '@slack/types';
import { button } from '../../slack/kit/blocks.ts';
import type { Choice } from '../../slack/kit/inputs.ts';
import type { FormRoute, FormValues, Opening, Person } from '../../slack/routing/routes.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import { COMMANDS, type ChangeInput, type ChangeKind } from '../kinds/kinds.ts';

/** One field of a request form. `label` is one of design section 5; `id` is unique among all forms. */
export type FormField = {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly optional?: boolean;
} & (
  | { readonly type: 'number'; readonly initial?: string; readonly min?: string }
  | {
      readonly type: 'text';
      readonly initial?: string;
      readonly multiline?: boolean;
      readonly maxLength?: number;
    }
  | { readonly type: 'email'; readonly initial?: string }
  /** A day in UTC, `2026-12-31`. */
  | { readonly type: 'date'; readonly initial?: string }
  | { readonly type: 'flag'; readonly text: string; readonly initial: boolean }
  | {
      readonly type: 'boxes';
      readonly options: readonly Choice[];
      readonly initial?: readonly string[];
    }
  /** `tells`: other fields depend on it. */
  | {
      readonly type: 'choice';
      readonly options: readonly Choice[];
      readonly initial?: string;
      readonly tells?: true;
    }
);

export interface FormView {
  readonly notes: readonly string[];
  readonly consequences: readonly string[];
  readonly fields: readonly FormField[];
  /** Comes back with the form, such as the amount that was shown; no secret. */
  readonly memory: Readonly<Record<string, string>>;
}

/**
 * The forms. `alert.set` becomes create or replace, whichever fits; `alert.off` replaces; `access.ask` becomes
 * `user.add` or `user.roles` for one's own address.
 */
export type FormName =
  Exclude<ChangeKind, 'alert.create' | 'alert.replace'> | 'alert.set' | 'alert.off' | 'access.ask';
/**
 * Initial values from a command, a button or a choice: the `amount` of the alert, the `email` of a user or a recipient,
 * the `id` of a recipient or a token, the `name` of a token, an org or a quota, the `org` of a quota, the missing `roles`
 * with commas between them. Unknown values are ignored.
 */
export type Given = Readonly<Record<string, string>>;
export type ReadForm =
  | { readonly input: ChangeInput }
  | { readonly errors: Record<string, string> }
  | { readonly refusal: string };

export interface RequestForm {
  /** At most 24 characters. */
  readonly title: string;
  /** The form, from a fresh read. @throws Refusal when there is nothing to request; PlatformError */
  fill(platform: BillingClient, given: Given, person: Person): Promise<FormView>;
  /** Reads the form; errors by field id, one sentence each. `now` is ms since the epoch. Pure. */
  read(values: FormValues, memory: FormView['memory'], now: number, person: Person): ReadForm;
  /** It takes a review also with APPROVALS=off. */
  readonly isAlwaysReviewed?: true;
  /** It asks for roles of the person who fills it in: its inputs are `own`. */
  readonly isOwn?: true;
  /**
   * Adds the name behind an id, and the present value of unchanged fields, from a fresh read; until then the id, or the
   * value of the form, takes their place.
   * @throws Refusal when it is gone, PlatformError
   */
  complete?(
    platform: BillingClient,
    input: ChangeInput,
    memory: FormView['memory'],
    person: Person,
  ): Promise<ChangeInput>;
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
