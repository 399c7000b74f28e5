import { UsageError } from '../../src/lib/errors.ts';
import type { Word } from '../../src/lib/words.ts';
import { hostile } from '../unit/slack/hostile.ts';
import { wordsIn } from './answer.ts';
import * as fc from './fast-check.ts';

type Parse = (words: readonly Word[]) => object;

/** The mistake in a line that cannot be read. */
export function mistakeIn(parse: Parse, line: string): UsageError {
  const outcome = outcomeOf(() => parse(wordsIn(line)));
  if (outcome instanceof UsageError) return outcome;
  throw new Error(`"${line}" can be read`);
}

/** Whether any words are a command or a mistake. @param known words of the command @throws for a defect */
export function readsAnyWords(parse: Parse, ...known: string[]): boolean {
  const word = fc.record({
    text: fc.oneof(fc.constantFrom(...known), hostile),
    quoted: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 5 }), (typed) => {
      const outcome = outcomeOf(() => parse(typed));
      return outcome instanceof UsageError || 'kind' in outcome;
    }),
    { numRuns: 300 },
  );
  return true;
}

function outcomeOf(run: () => object): object {
  try {
    return run();
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
}
