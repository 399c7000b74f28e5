import type { Explain } from '../answer.ts';
import type { Credential } from '../credential.ts';
import { forbiddenHint, orgKeyHint } from '../key-hints.ts';

/** What refusals of `{api_url}` mean beyond their status (spec 4.4 and section 5). */
export function explainDeployments(org: string, kind: Credential['kind']): Explain {
  return ({ status }) => {
    if (status === 401) return { hint: orgKeyHint(org, 'view on the workload') };
    return status === 403 ? { hint: forbiddenHint(kind) } : {};
  };
}
