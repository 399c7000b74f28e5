import type { Story } from '../../../stories/watch/story.ts';
import { messagesFor } from '../watch/audience.ts';

/** The lines of the text of the last message, or edit, of a story whose key ends so. */
export function textOf(story: Pick<Story, 'polls'>, key: string): string[] {
  const last = messagesFor(story).findLast((one) => one.key.endsWith(key));
  return last?.text.split('\n') ?? [];
}
