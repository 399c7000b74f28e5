import type { Explain } from '../answer.ts';

/** What refusals of `{api_url}` mean beyond their status (spec 4.4 and section 5). */
export function explainDeployments(org: string): Explain {
  return ({ status }) => {
    if (status === 401) {
      return {
        hint: `the key of org ${org} may be expired, deleted or of another org, or its service account may lack view on the workload; changes take up to 5 minutes`,
      };
    }
    return status === 403
      ? { hint: 'a token that a workload was injected with works only inside of that workload' }
      : {};
  };
}
