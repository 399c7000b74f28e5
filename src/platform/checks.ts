import { PlatformError } from './errors.ts';

/** What is checked before a call is sent, because the specification says that it would fail. */

const HOUR_MS = 3_600_000;
const RFC_3339_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;
const EMAIL = /^[^\s@<>",;]+@[^\s@<>",;.]+(?:\.[^\s@<>",;.]+)+$/;

/** The refusal of a call that was not sent: one sentence, what is wrong and what would be right. */
export function refusal(sentence: string): PlatformError {
  return new PlatformError('bad-request', sentence);
}

/**
 * Reads a time as the APIs take it: RFC 3339 in UTC (spec 2.1, 4.5 rule 1).
 * @returns ms since the epoch
 * @throws PlatformError `bad-request`
 */
export function checkTime(name: string, value: string): number {
  const ms = RFC_3339_UTC.test(value) ? Date.parse(value) : Number.NaN;
  // A day that does not exist is moved on by Date.parse, or refused by it.
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 19) !== value.slice(0, 19)) {
    throw refusal(`${name} must be an RFC 3339 time in UTC such as 2026-10-01T00:00:00Z`);
  }
  return ms;
}

/** As `checkTime`, on an hour boundary (spec 4.1, 4.2). @throws PlatformError `bad-request` */
export function checkHour(name: string, value: string): number {
  const ms = checkTime(name, value);
  // A fraction may be finer than the milliseconds that a Date keeps.
  const fraction = Number(/\.\d+/.exec(value)?.[0] ?? 0);
  if (ms % HOUR_MS !== 0 || fraction !== 0) {
    throw refusal(`${name} must be on an hour boundary such as 2026-10-01T10:00:00Z`);
  }
  return ms;
}

/** @throws PlatformError `bad-request` for what is no address of a mailbox */
export function checkEmail(value: string): void {
  if (!EMAIL.test(value) || value.length > 254) {
    throw refusal(`${JSON.stringify(value)} is not an e-mail address such as ada@example.com`);
  }
}
