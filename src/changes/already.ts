import type { Change, ChangeState } from './change.ts';

/**
 * Why nothing can be decided on a change any more, in one sentence that says what was decided and by
 * whom. Pure.
 */
export function alreadySentence({ id, state, decision }: Change): string {
  const by = decision?.by?.email === undefined ? '' : ` by ${decision.by.email}`;
  return `This request ${wordsOf(state, by)}: /changes show ${id} tells the rest.`;
}

function wordsOf(state: ChangeState, by: string): string {
  switch (state) {
    case 'withdrawn':
      return 'was withdrawn by the requester';
    case 'pending':
    case 'expired':
      return 'has expired, and can be requested again';
    case 'rejected':
      return `was rejected already${by}`;
    case 'approved':
      return `was approved already${by} and is about to be carried out`;
    case 'executing':
      return `was approved already${by} and is being carried out`;
    case 'succeeded':
      return `was approved already${by} and was carried out`;
    case 'failed':
      return `was approved already${by} and has failed`;
    case 'unknown':
      return `was approved already${by}, and nobody knows whether it was carried out`;
    case 'drifted':
      return `was approved already${by} and was not carried out, because things had changed`;
  }
}
