import { until } from './until.ts';
import type { User } from './user.ts';
import type { SeenMessage } from './world.ts';

/**
 * A person saves a question with its command, and says yes to the question before others read it.
 * @returns the private answer then
 */
export async function saveQuestion(
  house: { messages(channel: string): Promise<unknown> },
  who: User,
  line: string,
  channel?: string,
): Promise<SeenMessage> {
  const question = await who.ask(line, channel);
  if (!question.text.includes('Not scheduled yet')) throw new Error(question.text);
  await who.press(question, 'Schedule');
  return until(`${line} to be saved`, async () => {
    const all = (await house.messages(question.channel)) as SeenMessage[];
    return all.find(({ ts, text }) => ts === question.ts && /^(Scheduled|Saved):/.test(text));
  });
}
