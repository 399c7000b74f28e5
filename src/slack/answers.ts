import { randomUUID } from 'node:crypto';
import type { Button, KnownBlock } from '@slack/types';
import type { Logger } from '../lib/logger.ts';
import { scrubStrings } from '../lib/scrub.ts';
import type { Scrub } from '../lib/scrub.ts';
import type { Keys } from '../store/keys.ts';
import type { RedisConnection } from '../store/redis.ts';
import { actions, button, context, mentionUser, mrkdwn } from './kit/index.ts';
import { UNAVAILABLE } from './once.ts';
import { postResponse } from './response-url.ts';
import type { Answer } from './routes.ts';

export const SHARE_ACTION = 'answer.share';

/** How long an answer can be shared, in milliseconds; Slack's response_url lives for 30 minutes. */
const SHARE_MS = 30 * 60_000;
/** A person sees that something happens after this time, in milliseconds. */
const PROGRESS_MS = 1_500;

interface Shareable {
  text: string;
  blocks: KnownBlock[];
  buttons: Button[];
}

/** Who is answered, and where. */
interface Asker {
  userId: string;
  responseUrl: string;
  /** Asked by a button: the message with the button stays as it is. */
  byButton: boolean;
}

export interface Answers {
  /** Runs something slow and gives the person its answer, with a word in between when it takes long. */
  reply(asker: Asker, run: () => Promise<Answer | undefined>): Promise<void>;
  /** Posts an answer to the channel, once, and says who shared it. */
  share(responseUrl: string, userId: string, id: string | undefined): Promise<void>;
}

export interface AnswersDeps {
  redis: RedisConnection;
  keys: Keys;
  apiUrl: string;
  /** What leaves the process has no secret in it. */
  scrub: Scrub;
  logger: Logger;
}

export function createAnswers(deps: AnswersDeps): Answers {
  const { redis, keys } = deps;
  /** The key has the person in it: nobody else can share an answer, or use it up. */
  const keyOf = (userId: string, id: string): string => keys.answer(`${userId}:${id}`);

  /** The button that shares an answer; none when it is not to be shared, or could not be kept. */
  async function shareButton(userId: string, answer: Answer): Promise<Button[]> {
    if (answer.shareable !== true) return [];
    const id = randomUUID();
    const { text, blocks, buttons = [] } = answer;
    const kept: Shareable = { text, blocks, buttons };
    try {
      await redis.set(keyOf(userId, id), JSON.stringify(kept), 'PX', SHARE_MS);
    } catch (error) {
      deps.logger.warn({ err: error }, 'An answer cannot be shared: it was not kept');
      return [];
    }
    return [button({ action: SHARE_ACTION, text: 'Share with the channel', value: id })];
  }

  return {
    async reply({ responseUrl, userId, byButton }, run) {
      let progress: Promise<boolean> | undefined;
      const timer = setTimeout(() => {
        progress = postResponse(responseUrl, { text: 'Still working on it …' }, deps);
      }, PROGRESS_MS);
      const raw = await run().finally(() => clearTimeout(timer));
      const shown = (await progress) === true;
      if (raw === undefined) return;
      const answer = scrubStrings(raw, deps.scrub);
      const buttons = [...(answer.buttons ?? []), ...(await shareButton(userId, answer))];
      const blocks = withButtons(answer.blocks, buttons);
      // Of a button, the original would be the message that holds it.
      const place = shown && !byButton ? { replace_original: true } : {};
      const taken = await postResponse(responseUrl, { text: answer.text, blocks, ...place }, deps);
      // Rather a plain answer than none.
      if (!taken) await postResponse(responseUrl, { text: answer.text, ...place }, deps);
    },
    async share(responseUrl, userId, id) {
      const say = (text: string): Promise<boolean> => postResponse(responseUrl, { text }, deps);
      let text: string | null;
      try {
        text = id === undefined ? null : await redis.getdel(keyOf(userId, id));
      } catch (error) {
        deps.logger.error({ err: error }, 'An answer was not shared');
        await say(UNAVAILABLE);
        return;
      }
      if (text === null) {
        await say('This answer was shared already or is too old: run the command again.');
        return;
      }
      const kept = JSON.parse(text) as Shareable;
      const byline = context(mrkdwn`Shared by ${mentionUser(userId)}`);
      const posted = await postResponse(
        responseUrl,
        { text: kept.text, blocks: [...kept.blocks, byline], response_type: 'in_channel' },
        deps,
      );
      if (!posted) return void (await say(NOT_CONFIRMED));
      const blocks = withButtons(kept.blocks, kept.buttons);
      const done = { text: kept.text, blocks, replace_original: true };
      await postResponse(responseUrl, done, deps);
    },
  };
}

const NOT_CONFIRMED =
  'Slack did not confirm the message: if it is not in the channel, run the command again and share that answer.';

function withButtons(blocks: KnownBlock[], buttons: readonly Button[]): KnownBlock[] {
  return buttons.length === 0 ? blocks : [...blocks, actions(...buttons)];
}
