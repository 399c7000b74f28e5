import type { KnownBlock } from '@slack/types';
import type { BillingClient } from '../../platform/billing/client.ts';
import type { FormValues, Person } from '../../slack/routing/routes.ts';

/** A form as it opens. */
export interface FormView {
  readonly notes?: readonly string[];
  readonly consequences: readonly string[];
  /** With the labels of design section 5. */
  readonly fields: readonly KnownBlock[];
  /** Comes back with the form, such as the amount that was shown; no secret. */
  readonly memory?: Given;
}

/**
 * Initial values from a command, a button or a choice: the `amount` of the alert, the `email` of a user or a recipient,
 * the `id` of a recipient or a token, the `name` of a token, an org or a quota, the `org` of a quota, the missing `roles`
 * with commas between them, or all fields and the `reason` of an earlier request. Unknown values are ignored.
 */
export type Given = Readonly<Record<string, string>>;
export type ReadForm<Input> =
  | { readonly input: Input }
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

/** A form as a kind declares it; it gives an input of the kind. */
export interface RequestForm<Input> {
  /** At most 24 characters. */
  readonly title: string;
  /** From a fresh read. @throws Refusal when there is nothing to request; PlatformError */
  open(opened: Opened): Promise<FormView>;
  /** The input, or errors by field id, one sentence each. Pure. */
  read(submitted: Submitted): ReadForm<Input>;
  /** Adds facts about the person, read afresh when the form is sent. @throws Refusal */
  complete?(input: Input, person: Person): Promise<Input>;
  /** It asks for roles of the person who fills it in: its inputs are `own`. */
  readonly isOwn?: true;
  /** It takes a review also with APPROVALS=off. */
  readonly isAlwaysReviewed?: true;
  /** The field under which a conflict is shown; absent when the form has no field. */
  readonly conflictField?: string | ((why: string) => string);
  /** The field that others depend on, and its name in `Given` when the form is filled again. */
  readonly refills?: { readonly field: string; readonly given: string };
}

export type FormsOf<Name extends string, Input> = Readonly<Record<Name, RequestForm<Input>>>;
