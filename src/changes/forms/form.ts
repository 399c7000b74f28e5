import type { Button } from '@slack/types';
import { BigNumber } from 'bignumber.js';
import { button } from '../../slack/kit/blocks.ts';
import { LIMITS } from '../../slack/kit/text.ts';
import type { FormRoute, Opening } from '../../slack/routing/routes.ts';
import type { Change } from '../change.ts';
import { COMMANDS, type ChangeInput, type ChangeKind } from '../kinds/kinds.ts';
import type { Given, RequestForm } from './fields.ts';

/**
 * The forms. `alert.set` becomes create or replace, whichever fits; `alert.off` replaces; `access.ask` becomes
 * `user.add` or `user.roles` for one's own address.
 */
export type FormName =
  Exclude<ChangeKind, 'alert.create' | 'alert.replace'> | 'alert.set' | 'alert.off' | 'access.ask';

type ValueIn<Input> = Input extends unknown ? NonNullable<Input[keyof Input]> : never;

export type Forms = Readonly<Record<FormName, RequestForm<ChangeInput>>>;

export type RequestForms = Readonly<Record<FormName, FormRoute>>;

/** @param given absent values leave their fields empty */
export function openingOf(
  forms: RequestForms,
  name: FormName,
  given: Partial<Given> = {},
): Opening {
  return { form: forms[name], value: valueOf(given) };
}

/** The beginning of the id of a button that opens a form. */
export const ASK = 'changes.ask.';

/** A button that opens a form; the form itself checks the right to send it. */
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

/** A button that opens the form of an earlier request with its values; a name to type again is left empty. */
export function askAgainButton({ order, reason }: Pick<Change, 'order' | 'reason'>): Button {
  const value = valueOf(thatFits({ ...givenOf(order), reason }));
  return button({ action: `${ASK}${formOf(order)}`, text: 'Ask again', value });
}

function formOf(order: ChangeInput): FormName {
  if (isOwn(order)) return 'access.ask';
  if (order.kind === 'alert.create') return 'alert.set';
  if (order.kind === 'alert.replace') return order.enabled ? 'alert.set' : 'alert.off';
  return order.kind;
}

function isOwn(order: ChangeInput): boolean {
  return 'own' in order && order.own === true;
}

const NAMES: Readonly<Record<string, string>> = {
  tokenId: 'id',
  recipientId: 'id',
  quotaName: 'name',
};

function givenOf(order: ChangeInput): Given {
  // The form for one’s own roles has the address of the person who opens it.
  const isGiven = (name: string): boolean => !isOwn(order) || name === 'roles';
  const values = Object.entries(order).filter(([name]) => name !== 'kind' && isGiven(name));
  return Object.fromEntries(values.map(([name, value]) => [NAMES[name] ?? name, textOf(value)]));
}

function textOf(value: ValueIn<ChangeInput>): string {
  if (typeof value === 'number') return new BigNumber(value).toFixed();
  if (Array.isArray(value)) return value.join();
  if (typeof value !== 'object') return String(value);
  // Tags, as their field reads them.
  return Object.entries(value)
    .map(([key, tag]) => `${key}=${/^["[{]/.test(tag) ? JSON.stringify(tag) : tag}`)
    .join('\n');
}

/** Slack takes no longer value: what does not fit is typed again. */
function thatFits(given: Given): Given {
  let room = LIMITS.buttonValue;
  const fitting = Object.entries(given).filter((entry) => {
    const { length } = valueOf(Object.fromEntries([entry]));
    if (length > room) return false;
    room -= length;
    return true;
  });
  return Object.fromEntries(fitting);
}

function valueOf(given: Partial<Given>): string {
  return JSON.stringify(given);
}
