import { formatDuration } from '../../lib/text.ts';
import type { Finding } from './check.ts';

export function well(what: string, says: string): Finding {
  return { what, state: 'well', says };
}

export function off(what: string, says: string, fix?: string): Finding {
  return { what, state: 'off', says, ...(fix === undefined ? {} : { fix }) };
}

export function doubtful(what: string, says: string, fix: string): Finding {
  return { what, state: 'doubtful', says, fix };
}

export function broken(what: string, says: string, fix: string): Finding {
  return { what, state: 'broken', says, fix };
}

/**
 * "a, b and c"; of more than `max` the rest is counted: "a, b and 3 more". Names with a comma are set
 * apart by semicolons.
 */
export function listed(names: readonly string[], max = names.length): string {
  const shown = names.slice(0, max);
  const rest = names.length - shown.length;
  const last = rest > 0 ? `${rest} more` : shown.pop();
  const separator = names.some((name) => name.includes(',')) ? '; ' : ', ';
  return shown.length === 0 ? (last ?? '') : `${shown.join(separator)} and ${last}`;
}

/** A time that is over, in milliseconds: "3 min 5 s ago". */
export function ago(ms: number): string {
  return `${formatDuration(ms)} ago`;
}
