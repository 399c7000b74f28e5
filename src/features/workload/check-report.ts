import { checkManifest } from '../../platform/workload/check.ts';
import type { UnreadableText } from '../../platform/workload/finding.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { checkAnswer } from './check-view.ts';

export interface CheckJob {
  readonly text: string;
  readonly prefix: string;
}

/** Plain data, because it crosses to the thread that answers Slack. */
export type CheckReport = { readonly unreadable: UnreadableText } | { readonly answer: Answer };

/** Pure. */
export function checkReport({ text, prefix }: CheckJob): CheckReport {
  const checked = checkManifest(text, prefix);
  return 'unreadable' in checked ? checked : { answer: checkAnswer({ checked, prefix }) };
}
