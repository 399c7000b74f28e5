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

/** A time that is over, in milliseconds: "3 min 5 s ago". */
export function ago(ms: number): string {
  return `${formatDuration(ms)} ago`;
}
