import type { Hours } from './hour-by-hour.ts';
import { saveQuestion } from './save-question.ts';
import type { User } from './user.ts';
import type { SeenMessage } from './world.ts';

const BILLING = 'C0BILLING';
const SCHEDULES = 'charges-schedules';

/** The number of a saved question, as the answer names it. */
export const numberIn = (answer: SeenMessage): string =>
  /Number (\d+)\./.exec(JSON.stringify(answer.blocks))?.[1] ?? 'none';

/** Without the moment when a question was saved. */
export const keyOf = ({ metadata }: SeenMessage): string =>
  (metadata?.event_payload.key ?? '').replace(/^(@billing\/report\/\d+)-\w+/, '$1');

export type SavedTalk = ReturnType<typeof savedTalk>;

/** The questions that people save, and the posts of a channel about them, where time passes by the hour. */
export function savedTalk(hours: Hours) {
  const posts = async (channel = BILLING): Promise<SeenMessage[]> => {
    const all = (await hours.house.messages(channel)) as unknown as SeenMessage[];
    return all.filter(({ metadata, deleted }) => metadata !== null && !deleted);
  };
  /** Checks once more, and the result is posted. */
  const look = async (kind: string): Promise<void> => {
    await hours.looks.over([await hours.looks.wake(kind)]);
    await hours.reported();
  };
  return {
    look,
    /** The posts of a channel about a saved question, as they are now. */
    postsOf: async (number: string): Promise<SeenMessage[]> =>
      (await posts()).filter((one) => keyOf(one).startsWith(`@billing/report/${number}/`)),
    /** Their keys, without the common beginning. */
    async reported(number: string): Promise<string[]> {
      const beginning = `@billing/report/${number}/`;
      const keys = (await posts()).map(keyOf).filter((key) => key.startsWith(beginning));
      return keys.map((key) => key.slice(beginning.length));
    },
    /** Goes on hour by hour until it is so late. */
    async reach(moment: string): Promise<void> {
      while (hours.time.at() < Date.parse(moment)) {
        await hours.step();
        // Of two that come together one is left out.
        await hours.looks.over([SCHEDULES, await hours.looks.wake(SCHEDULES)]);
        await hours.reported();
      }
    },
    /** Types the command, and says yes to the question. @returns its number */
    schedule: async (line: string, who: User = hours.house.user('U0ADA')): Promise<string> =>
      numberIn(await saveQuestion(hours.house, who, line, BILLING)),
  };
}
