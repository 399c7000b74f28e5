import { Unreadable } from '../../lib/refusal.ts';
import { short } from './place.ts';

const MINUTE_MS = 60_000;
const UNITS = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS } as const;
const TIME = /^(\d+)(m|h|d)$/i;
/** Numbers that somebody may have meant as a time. */
const LIKE_TIME = /^[-+]?\d+(?:[.,]\d+)?[a-z]*$/i;
const LONGEST_MS = 30 * UNITS.d;

export function isTime(text: string): boolean {
  return TIME.test(text);
}

export function isLikeTime(text: string): boolean {
  return LIKE_TIME.test(text);
}

/** `30m`, `8h` or `2d` in milliseconds. @throws Unreadable below one minute and above 30 days, too */
export function readTime(text: string): number {
  const [, amount, unit] = TIME.exec(text) ?? [];
  if (amount === undefined || unit === undefined) throw noTime(text);
  const ms = Number(amount) * UNITS[unit.toLowerCase() as keyof typeof UNITS];
  if (ms >= MINUTE_MS && ms <= LONGEST_MS) return ms;
  throw new Unreadable(
    `"${short(text)}" cannot be: a mute lasts 1 minute at least and 30 days at most.`,
    `/deployments mute ${ms > LONGEST_MS ? '30d' : '1m'}`,
  );
}

/** The no to what is nearly a time, with what was probably meant. */
export function noTime(text: string): Unreadable {
  return new Unreadable(
    `"${short(text)}" is no time: write whole minutes, hours or days, as 30m, 8h or 2d.`,
    meantBy(text),
  );
}

/** `90` are minutes; whoever writes `8hours` or `1w` knows what they want. */
function meantBy(text: string): string | undefined {
  const [, amount = '', unit = ''] = /^(\d+)(|m|min\w*|h\w*|d\w*|w\w*)$/i.exec(text) ?? [];
  if (amount === '') return undefined;
  const letter = unit.charAt(0).toLowerCase() || 'm';
  return `/deployments mute ${letter === 'w' ? `${Number(amount) * 7}d` : `${amount}${letter}`}`;
}
