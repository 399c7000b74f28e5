import { describeDay } from '../../reporting/range.ts';
import { DAY_MS, HOUR_MS } from '../../lib/time.ts';
import { lookalike, plural, revealed, truncate } from '../../lib/text.ts';

/** What the platform does not say is not known, and never a no. */
export const NOT_SAID = 'not said';

const STEPS = [
  { ms: DAY_MS, name: 'day' },
  { ms: HOUR_MS, name: 'hour' },
  { ms: 60_000, name: 'minute' },
] as const;

/** "5 November 2026" in UTC. `ms` since the epoch. */
export function dayOf(ms: number | undefined): string {
  return ms === undefined ? NOT_SAID : describeDay(ms);
}

/** "11 days", "1 hour", "a minute" at least: one unit is as much as an approximate time says. */
export function roughly(ms: number): string {
  const step = STEPS.find((one) => ms >= one.ms);
  return step === undefined ? 'a minute' : plural(Math.floor(ms / step.ms), step.name);
}

/** A text of the platform's in a cell or a line; what cannot be seen in it is written out. */
export function said(text: string, max = 120): string {
  return truncate(revealed(text.trim()), max) || NOT_SAID;
}

/** A name or an e-mail address, with a warning where it is not what it looks like. */
export function named(name: string, max?: number): string {
  const hides = lookalike(name.trim());
  return hides === undefined ? said(name, max) : `${said(name, max)} ⚠ has ${hides}`;
}

/** "billing_admin, org_creator"; what is no role of ours is no longer than a name. */
export function rolesInWords(roles: readonly string[]): string {
  return roles.length === 0 ? 'none' : roles.map((role) => said(role, 60)).join(', ');
}
