import type { Button } from '@slack/types';
import { button } from '../../slack/kit/blocks.ts';
import type { Choice } from '../../slack/kit/inputs.ts';
import type { FormRoute, FormValues, Opening } from '../../slack/routing/routes.ts';
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
  /** One box to tick; `text` says what it means. */
  | { readonly type: 'flag'; readonly text: string; readonly initial: boolean }
  /** Boxes to tick. */
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

/** A form as it is shown: what is there now, what follows from sending it, and the fields. */
export interface FormView {
  /** What is there now and worth knowing; plain sentences. */
  readonly notes: readonly string[];
  /** What follows whatever is filled in; plain sentences. */
  readonly consequences: readonly string[];
  readonly fields: readonly FormField[];
  /** What the form has to know again when it is sent, such as the amount that was there; no secret. */
  readonly memory: Readonly<Record<string, string>>;
}

/** What can be asked for. `alert.set` becomes create or replace, whichever fits; `alert.off` replaces. */
export type FormName =
  Exclude<ChangeKind, 'alert.create' | 'alert.replace'> | 'alert.set' | 'alert.off';
/**
 * What is known before the form is filled in, from a command, a button or a choice: the `amount` of the
 * alert, the `email` of a user or a recipient, the `id` of a recipient or a token, the `name` of a token,
 * an org or a quota, the `org` of a quota. What is not known there is no harm.
 */
export type Given = Readonly<Record<string, string>>;
export type ReadForm =
  | { readonly input: ChangeInput }
  | { readonly errors: Record<string, string> }
  /** What is wrong with a form that has no field to say it below. */
  | { readonly refusal: string };

/** How one thing is asked for. */
export interface RequestForm {
  /** At most 24 characters. */
  readonly title: string;
  /** The form, from a fresh read. @throws Refusal when there is nothing to ask for; PlatformError */
  fill(platform: BillingClient, given: Given): Promise<FormView>;
  /** Reads what was filled in; errors by field id, one sentence each. `now` is ms since the epoch. Pure. */
  read(values: FormValues, memory: FormView['memory'], now: number): ReadForm;
  /**
   * Puts the name to what was chosen by its id, and the present value to what is to stay, from a fresh
   * read; until then the id, or the value of the form, stands for it.
   * @throws Refusal when it is gone, PlatformError
   */
  complete?(
    platform: BillingClient,
    input: ChangeInput,
    memory: FormView['memory'],
  ): Promise<ChangeInput>;
  /** The field below which stands why it cannot be done as things are; none where the form has no field. */
  readonly conflictField?: string | ((why: string) => string);
  /** The field that others depend on, and as what it is given when the form is filled anew. */
  readonly tells?: { readonly field: string; readonly given: string };
}

export type Forms<Name extends FormName = FormName> = Readonly<Record<Name, RequestForm>>;

/** The modals in which changes are asked for, by what they ask for. */
export type RequestForms = Readonly<Record<FormName, FormRoute>>;

/** Opens one of them from a command. */
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

/** The buttons of all kinds that have one below what this command shows, such as `/billing users`. */
export function askButtons(forms: RequestForms, look: string, given: Given = {}): Button[] {
  return Object.entries(COMMANDS).flatMap(([kind, command]) =>
    command.look === look && command.button !== undefined
      ? [askButton(forms, kind as keyof RequestForms & ChangeKind, command.button, given)]
      : [],
  );
}

/** What a button that opens a form carries: only what it is filled in with at first. */
function valueOf(given: Given): string {
  return JSON.stringify(given);
}
