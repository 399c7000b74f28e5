import { nearest, truncate, type Word } from '../../lib/text.ts';
import { UsageError } from '../../lib/errors.ts';

/** `/changes …` as read (design section 3). */
export type ChangesCommand =
  | { readonly kind: 'list' }
  /** In lower case, as ids are. */
  | { readonly kind: 'show'; readonly id: string };

const SUBCOMMANDS = ['show', 'list'] as const;
const ID = /^#?([a-z\d]{8})$/i;

/** Reads the words after `/changes`. @throws UsageError with the nearest match */
export function parseChanges(words: readonly Word[]): ChangesCommand {
  const [first, second, ...more] = words;
  if (first === undefined) return { kind: 'list' };
  const word = first.text.toLowerCase();
  if (word === 'list' && second === undefined) return { kind: 'list' };
  if (word === 'list') {
    throw new UsageError('"list" takes nothing more: its menus say what is listed.', '/changes');
  }
  if (word !== 'show') throw unknownWord(first.text, second);
  if (second === undefined) throw new UsageError('Name the request: its ID is on the card.');
  const id = bareId(second.text);
  if (more.length > 0) {
    throw new UsageError('One request at a time, please.', `/changes show ${id}`);
  }
  return { kind: 'show', id };
}

function unknownWord(text: string, next: Word | undefined): UsageError {
  const meant = nearest(text, SUBCOMMANDS);
  const said = `"${truncate(text, 60)}" is no word of /changes.`;
  if (meant === 'show' && next !== undefined) {
    return new UsageError(said, `/changes show ${bareId(next.text)}`);
  }
  if (meant === undefined && ID.test(text)) {
    return new UsageError(said, `/changes show ${bareId(text)}`);
  }
  return new UsageError(said, '/changes');
}

/** As it is typed or copied from a card. */
function bareId(text: string): string {
  return text.replace(/[`#]/g, '').toLowerCase();
}
