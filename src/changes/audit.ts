import type { Logger } from '../lib/logger.ts';
import type { Write } from '../notify/outbox.ts';
import type { Keys } from '../store/redis.ts';
import type { AuditLine } from './states.ts';

/** An audit line, in the stream of all and in that of its change. */
export function auditWrites(keys: Keys, line: AuditLine): Write[] {
  const { change, event } = line;
  const data = JSON.stringify(line);
  return [keys.audit, ...(change === undefined ? [] : [keys.auditOf(change)])].map((key) => {
    return ['XADD', key, '*', 'change', change ?? '', 'event', event, 'data', data] as const;
  });
}

/** The same as one line of the log, once it is written: without e-mail addresses. */
export function logAudit(
  logger: Logger,
  { at, change, event, state, by, ...rest }: AuditLine,
): void {
  const { kind, what, why } = rest;
  logger.info({ audit: true, at, change, event, state, by, kind, what, why }, 'Audit');
}
