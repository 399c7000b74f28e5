import type { IncomingMessage } from 'node:http';

import { onTestFinished } from 'vitest';

import { PlatformError } from '../../../../src/platform/errors.ts';
import { ALL_CALLS } from '../calls.ts';
import { startClients } from '../clients.ts';
import { outcomeOf } from '../support.ts';
import { CANARIES, createTexts, leakIn } from './texts.ts';

/** How many methods of the clients can fail: `knownItems` never throws. */
export const CALLS = Object.keys(ALL_CALLS).length - 1;
/** So many fail at least: some take an absence for an answer, or a status for all they need. */
export const MOST = CALLS - 9;
/** The statuses of spec section 7, and some that no table foresees. */
export const STATUSES = [301, 307, 400, 401, 403, 404, 409, 418, 429, 500, 502, 503, 504];

/** Makes every call once with the canaries, and gives how many failed and where one can be read. */
export async function failEach(url: string, { tokens = CANARIES, limits = {} } = {}) {
  const clients = startClients(url, {
    account: tokens.account,
    user: tokens.user,
    orgKeyOf: () => tokens.org,
    limits: { attempts: 1, totalMs: 10_000, ...limits },
  });
  onTestFinished(() => clients.close());
  const reportedOf = createTexts();
  const outcomes = await Promise.all(
    Object.values(ALL_CALLS).map((call) => outcomeOf(call(clients))),
  );
  const names = Object.keys(ALL_CALLS).filter((_, index) => 'error' in outcomes[index]!);
  const errors = outcomes.flatMap((outcome) => ('error' in outcome ? [outcome.error] : []));
  return {
    failed: errors.length,
    names,
    areOurs: errors.every((error) => error instanceof PlatformError),
    leaks: outcomes.flatMap((outcome) => leakIn(reportedOf(Object.values(outcome)[0])) ?? []),
  };
}

/** The credential that a call came with, alone: words before it would make it easier to hide. */
export function credentialOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  return (headers.authorization ?? '').replace(/^Bearer /, '');
}
