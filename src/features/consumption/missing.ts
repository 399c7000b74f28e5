import { truncate } from '../../lib/text.ts';
import { mrkdwn } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import { flaw } from './caveats.ts';
import { explainPlatformError } from '../platform-sentences.ts';
import type { Failure } from './orgs.ts';

/** Says which orgs are missing, and why. */
export function missingOrgs(failures: readonly Failure[]): Mrkdwn[] {
  const orgsByReason = new Map<string, string[]>();
  for (const { org, error } of failures) {
    const reason = explainPlatformError(error) ?? error.message;
    orgsByReason.set(reason, [...(orgsByReason.get(reason) ?? []), org]);
  }
  return [...orgsByReason].map(([reason, orgs]) =>
    flaw(mrkdwn`Without ${truncate(orgs.join(', '), 200)}: ${reason}`),
  );
}
