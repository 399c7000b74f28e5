/**
 * The words with which Redis refuses a write that is in order: it is full, a replica, cannot save, misses
 * its replicas, or the user lacks the right.
 */
const WORDS = ['OOM', 'READONLY', 'MISCONF', 'NOREPLICAS', 'NOPERM', 'NOAUTH'] as const;

/** Why Redis refuses what it is told; `ERR`: for a reason of its own words. */
export type RefusalWord = (typeof WORDS)[number] | 'ERR';

/** Before Redis 7 the word of a command in a script stands inside of the script's own error. */
const WORD = new RegExp(`(?:^|-)(${WORDS.join('|')}) `);

/** Why Redis refused a command; undefined for any other error, such as that it cannot be reached. */
export function refusalWord(error: unknown): RefusalWord | undefined {
  if (!(error instanceof Error) || error.name !== 'ReplyError') return undefined;
  // What waited in a blocking read when its server became a replica.
  if (error.message.startsWith('UNBLOCKED ')) return 'READONLY';
  // The script's error quotes nothing that anybody typed before its own word.
  const word = WORD.exec(error.message.slice(0, 300))?.[1];
  return WORDS.find((one) => one === word) ?? 'ERR';
}
