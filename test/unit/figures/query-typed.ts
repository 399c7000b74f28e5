import { parseQuery } from '../../../src/figures/query.ts';
import type { FigureQuery } from '../../../src/figures/query.ts';
import { Unreadable } from '../../../src/lib/refusal.ts';
import { splitWords } from '../../../src/lib/words.ts';

/** What Slack does to a line that a person types. */
function slackEscape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Reads what a person types after `/charges`. @throws Unreadable */
export function typedQuery(line: string): FigureQuery {
  const split = splitWords(slackEscape(line));
  if ('problem' in split) throw new Unreadable(split.problem);
  return parseQuery(split.words, { command: '/charges' });
}

export type Outcome = { query: FigureQuery } | { sentence: string; suggestion: string | undefined };

/** What comes of a line: a query, or what a person is told instead. */
export function outcomeOf(line: string): Outcome {
  try {
    return { query: typedQuery(line) };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { sentence: error.message, suggestion: error.suggestion };
  }
}
