import { PlatformError } from '../../../../src/platform/errors.ts';

/** What somebody waits for. `write` is a call that changes something on the platform. */
export type CallKind = 'store' | 'lock' | 'jobs' | 'slack' | 'read' | 'write' | 'outside';

/** The one thing that goes wrong in an operation, if anything does. */
export interface Trouble {
  /** The how-manieth step of the operation; a call has two: before its effect and after it. */
  readonly at: number | 'write';
  readonly what:
    /** The process ends there. */
    | 'crash'
    /** The call has no effect, and an error comes back. */
    | 'fails'
    /** The call has its effect, and its answer is lost. */
    | 'lost'
    /** An error comes back, and the call has its effect afterwards. */
    | 'late'
    /** The process stands still for a while. */
    | 'stall';
  /** Which of several ways. */
  readonly how: number;
}

/** Seconds that a process stands still. */
export const STALLS_MS = [3_000, 11_000, 20_000, 50_000, 100_000] as const;

const said = (status: number, reason: PlatformError['reason']) =>
  new PlatformError(reason, `it says ${status}`, { status });

/** What the platform says when it did nothing. */
const NOT_WRITTEN = [
  () => said(400, 'bad-request'),
  () => said(403, 'forbidden'),
  () => new PlatformError('not-found', 'no such account', { status: 404, credential: 'account' }),
  () => said(429, 'rate-limited'),
  () => said(500, 'server-error'),
  () => said(503, 'unavailable'),
  () => new PlatformError('unreachable', 'no connection'),
  () => new PlatformError('timeout', 'silence'),
];
const NOT_READ = [
  () => said(403, 'forbidden'),
  () => said(429, 'rate-limited'),
  () => said(500, 'server-error'),
  () => said(503, 'unavailable'),
  () => new PlatformError('timeout', 'silence'),
  () => said(200, 'malformed'),
];
/** What is heard when it did something, or does so later. */
const LOST = [
  () => new PlatformError('timeout', 'silence'),
  () => new PlatformError('unreachable', 'the connection broke'),
  () => said(502, 'unavailable'),
  () => said(201, 'malformed'),
  () => said(500, 'server-error'),
];
const LATE = LOST.slice(0, 3);

/** What the caller hears. */
export function errorOf(kind: CallKind, { what, how }: Pick<Trouble, 'what' | 'how'>): Error {
  if (kind !== 'read' && kind !== 'write') return new Error(`the ${kind} does not answer`);
  const all = { fails: kind === 'read' ? NOT_READ : NOT_WRITTEN, lost: LOST, late: LATE };
  const list = all[what as 'fails' | 'lost' | 'late'];
  return (list[how % list.length] as () => Error)();
}
