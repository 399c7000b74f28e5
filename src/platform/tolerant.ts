import { cutForeign } from '../lib/text.ts';
import { numberIn } from './exact-json.ts';
import { numberOf } from './members.ts';

/** Readers for members that decide nothing: what has the wrong type counts as absent. */

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A text for people, of which no more is read than anybody reads: at most 4 KB. */
export function messageOf(value: unknown): string {
  return cutForeign(textOf(value));
}

/** An id, which may be written as a number; empty for anything else. */
export function idOf(value: unknown): string {
  return typeof value === 'string' ? value : (numberOf(value)?.toFixed() ?? '');
}

/**
 * A count, which may be written as text, and which may be absent; absent is not zero (design section
 * 4: `idle` needs a stated 0).
 */
export function countOf(value: unknown): number | undefined {
  const count = typeof value === 'string' ? numberIn(value) : value;
  return typeof count === 'number' && count >= 0 && Number.isFinite(count) ? count : undefined;
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i;

/** Milliseconds since the epoch; a time without its offset from UTC could be any of a day. */
export function timeOf(value: unknown): number | undefined {
  const ms = typeof value === 'string' && RFC_3339.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

/** `11`, `11.0` and `"11"` are 11; absent and unreadable are 0, which means "not set". */
export function versionOf(value: unknown): number {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : 0;
}

/** The members of an object; of anything else, none. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** The objects in a list, without what else stands between them; of anything else, none. */
export function objectsOf(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
