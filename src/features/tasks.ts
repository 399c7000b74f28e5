import type { Button } from '@slack/types';
import type { Authorizer } from '../access/authorizer.ts';
import { Refusal } from '../lib/errors.ts';
import { button } from '../slack/kit/blocks.ts';
import type { Person } from '../slack/routing/routes.ts';
import { runButton } from './notices.ts';

/** Opens the form that makes a watch; help, Home and the message to a new channel have its button, too. */
export const WATCH_FORM_ACTION = 'deployments.watch-form';

export function watchButton(value = 'new'): Button {
  return button({ action: WATCH_FORM_ACTION, text: 'Watch a GVC...', value });
}

/** The tasks that most people come for, each with its button. */
export interface QuickTask {
  readonly wish: string;
  readonly button: Button;
}

/** Rights as names of the authorizer; any of them suffices. */
const TASKS: readonly (QuickTask & { readonly rights: readonly string[] })[] = [
  {
    wish: 'See costs',
    button: runButton('Charges', '/charges'),
    rights: ['billing', 'org_charges'],
  },
  {
    wish: 'Check a deployment',
    button: runButton('Deployments', '/deployments'),
    rights: ['orgs'],
  },
  { wish: 'Follow rollouts here', button: watchButton(), rights: ['orgs'] },
  { wish: 'Pay invoices', button: runButton('Invoices', '/invoices'), rights: ['billing'] },
];

export type TaskAccess = Pick<Authorizer, 'authorize' | 'requireRight'>;

/** The tasks that a person may do, without those whose right cannot be read; or why Purser answers them nothing. */
export async function tasksFor(
  access: TaskAccess,
  person: Person,
): Promise<{ readonly tasks: readonly QuickTask[]; readonly refusal?: string }> {
  const refusal = await refusalOf(access.authorize(person));
  if (refusal !== undefined) return { tasks: [], refusal };
  const names = [...new Set(TASKS.flatMap(({ rights }) => rights))];
  const refusals = await Promise.all(
    names.map((name) => refusalOf(access.requireRight(person, name))),
  );
  const isOpen = (name: string) => refusals[names.indexOf(name)] === undefined;
  return { tasks: TASKS.filter(({ rights }) => rights.some(isOpen)) };
}

async function refusalOf(check: Promise<void>): Promise<string | undefined> {
  try {
    await check;
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}
