import { UsageError } from '../../../src/lib/errors.ts';
import { splitWords } from '../../../src/lib/words.ts';
import { parseQuery, type ReportQuery } from '../../../src/reporting/query.ts';

/** Escapes as Slack does with a typed line; not by the function of the code, which may be wrong. */
function slackEscape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Reads a line after `/charges`. @throws UsageError */
export function typedQuery(line: string): ReportQuery {
  const split = splitWords(slackEscape(line));
  if ('problem' in split) throw new UsageError(split.problem);
  return parseQuery(split.words, { command: '/charges' });
}

export type Outcome = { query: ReportQuery } | { sentence: string; suggestion: string | undefined };

/** The query of a line, or the message to the person instead. */
export function outcomeOf(line: string): Outcome {
  try {
    return { query: typedQuery(line) };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { sentence: error.message, suggestion: error.suggestion };
  }
}
