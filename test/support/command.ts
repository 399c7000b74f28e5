import type { Word } from '../../src/lib/words.ts';
import type { Answer, CommandContext, CommandRoute } from '../../src/slack/routing/routes.ts';

/** Answers the words after a command, as the router does for a person who is authorized. @throws when they open a form */
export async function typeWords(
  route: CommandRoute,
  words: readonly Word[],
  context: CommandContext,
): Promise<Answer> {
  const parsed = route.parse(words);
  if ('form' in parsed) throw new Error(`${route.help.command} opens a form`);
  return route.run(parsed.command, context);
}
