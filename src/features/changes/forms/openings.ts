import type { FormRoute, Opening } from '../../../slack/routes.ts';
import type { FormName, Given } from './form.ts';

/** The modals in which changes are asked for, by what they ask for. */
export type RequestRoutes = Readonly<Record<FormName, FormRoute>>;

/** Opens one of them from a command. */
export function openingOf(routes: RequestRoutes, name: FormName, given: Given = {}): Opening {
  return { form: routes[name], value: valueOf(given) };
}

/** What a button that opens a form carries: only what it is filled in with at first. */
export function valueOf(given: Given): string {
  return JSON.stringify(given);
}
