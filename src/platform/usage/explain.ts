import type { Explain } from '../answer.ts';
import { explainQuery } from '../consumption/explain.ts';

const HINTS: Readonly<Record<number, string>> = {
  401: 'the service account needs readMetrics on the org (readUsage does not grant it; a grant takes up to 5 minutes), and a deactivated org answers the same',
  403: 'a token that a workload was injected with works only inside of that workload',
};

/** What the usage API's refusals mean beyond their status (spec sections 5 and 7). */
export const explainUsage: Explain = (refusal) => {
  const hint = HINTS[refusal.status];
  return { ...explainQuery(refusal), ...(hint === undefined ? {} : { hint }) };
};
