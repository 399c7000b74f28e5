import type { IncomingHttpHeaders } from 'node:http';

import { SandboxError } from '../errors.ts';

const FORMATS = ['application/json', 'application/pdf'] as const;

/**
 * In which form an invoice is asked for (spec 4.2): what `Accept` says to the letter, unless there is
 * a `Content-Type`, which goes first. Throws a SandboxError (400) for anything else.
 */
export function formatOf(headers: IncomingHttpHeaders): (typeof FORMATS)[number] {
  const asked = headers['content-type'] ?? headers.accept;
  const format = FORMATS.find((format) => format === asked);
  if (format === undefined) {
    const name = headers['content-type'] === undefined ? 'Accept' : 'Content-Type';
    throw new SandboxError(
      400,
      `${name} must be ${FORMATS.join(' or ')}, and not ${asked ?? 'absent'}`,
    );
  }
  return format;
}
