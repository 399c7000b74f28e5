import type { Explain } from '../answer.ts';
import { explainQuery } from '../consumption/explain.ts';
import type { Credential } from '../credential.ts';
import { forbiddenHint, orgKeyHint } from '../key-hints.ts';

const PERMISSION = 'readMetrics on the org (readUsage does not grant it)';

/** What the usage API's refusals mean beyond their status (spec sections 5 and 7). */
export function explainUsage(org: string, kind: Credential['kind']): Explain {
  return (refusal) => {
    if (refusal.status === 401) {
      return { hint: `${orgKeyHint(org, PERMISSION)}; a deactivated org answers the same` };
    }
    return refusal.status === 403 ? { hint: forbiddenHint(kind) } : explainQuery(refusal);
  };
}
