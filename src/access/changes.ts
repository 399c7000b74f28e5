import type { Role } from './roles.ts';

/** What it takes to ask for a change, or to decide on it: any of these roles, or the right to read the orgs. */
export type Need = { readonly roles: readonly Role[] } | 'orgs';

/** What is known of a person now; asked of Slack and the platform, not remembered. */
export interface Standing {
  readonly userId: string;
  /** In lower case; undefined when Slack shows none. */
  readonly email: string | undefined;
  /** Undefined when the account has no such user, or roles cannot be looked up at all. */
  readonly roles: readonly string[] | undefined;
  /** Why the person may not use the bot at all, or not the orgs. */
  readonly refusal?: string | undefined;
  readonly orgRefusal?: string | undefined;
}

/** What policy has to know of a change. */
export interface ChangeRules {
  readonly request: Need;
  readonly approve: Need;
  /** E-mails of the billing users that are changed. */
  readonly subjects: readonly string[];
}

/** Who asked for it. */
export interface Requester {
  readonly userId: string;
  readonly email?: string | undefined;
}

/**
 * Whether a person may ask for a change (design sections 5 and 6). Pure.
 * @returns the sentence of the refusal, undefined when there is none
 */
export function requestRefusal(rules: ChangeRules, who: Standing): string | undefined {
  void rules;
  return who.refusal;
}

/**
 * Whether a person may approve or reject a change now (design sections 5 and 6). Pure.
 * @param allowSelf the requester may decide (ALLOW_SELF_APPROVAL)
 * @returns the sentence of the refusal, undefined when there is none
 */
export function decisionRefusal(
  rules: ChangeRules,
  requester: Requester,
  who: Standing,
  allowSelf: boolean,
): string | undefined {
  void rules;
  void requester;
  void allowSelf;
  return who.refusal;
}
