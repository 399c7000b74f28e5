import { randomUUID } from 'node:crypto';
import type { KnownBlock } from '@slack/types';
import type { Logger } from '../lib/logger.ts';
import { scrubStrings } from '../lib/scrub.ts';
import type { Scrub } from '../lib/scrub.ts';
import type { Keys } from '../store/keys.ts';
import type { RedisConnection } from '../store/redis.ts';
import { actions, button, context, mentionUser, mrkdwn } from './kit/index.ts';
import { postResponse } from './response-url.ts';
import type { Answer } from './routes.ts';

export const SHARE_ACTION = 'answer.share';

/** How long an answer can be shared, in milliseconds; Slack's response_url lives for 30 minutes. */
const SHARE_MS = 30 * 60_000;
/** A person sees that something happens after this time, in milliseconds. */
const PROGRESS_MS = 1_500;

interface Shareable {
  userId: string;
  text: string;
  blocks: KnownBlock[];
}

export interface Answers {
  /** Runs something slow and gives the person its answer, with a word in between when it takes long. */
  reply(responseUrl: string, userId: string, run: () => Promise<Answer | undefined>): Promise<void>;
  /** Posts an answer to the channel, once, and says who shared it. */
  share(responseUrl: string, userId: string, id: string | undefined): Promise<void>;
}

export function createAnswers(deps: {
  redis: RedisConnection;
  keys: Keys;
  apiUrl: string;
  /** What leaves the process has no secret in it. */
  scrub: Scrub;
  logger: Logger;
}): Answers {
  const { redis, keys } = deps;

  async function withShare(userId: string, answer: Answer): Promise<KnownBlock[]> {
    if (answer.shareable !== true) return answer.blocks;
    const id = randomUUID();
    const kept: Shareable = { userId, text: answer.text, blocks: answer.blocks };
    await redis.set(keys.answer(id), JSON.stringify(kept), 'PX', SHARE_MS);
    const share = button({ action: SHARE_ACTION, text: 'Share with the channel', value: id });
    return [...answer.blocks, actions(share)];
  }

  return {
    async reply(responseUrl, userId, run) {
      let progress: Promise<boolean> | undefined;
      const timer = setTimeout(() => {
        progress = postResponse(responseUrl, { text: 'Still working on it …' }, deps);
      }, PROGRESS_MS);
      const raw = await run().finally(() => clearTimeout(timer));
      const shown = (await progress) === true;
      if (raw === undefined) return;
      const answer = scrubStrings(raw, deps.scrub);
      const blocks = await withShare(userId, answer);
      await postResponse(
        responseUrl,
        { text: answer.text, blocks, ...(shown ? { replace_original: true } : {}) },
        deps,
      );
    },
    async share(responseUrl, userId, id) {
      const text = id === undefined ? null : await redis.getdel(keys.answer(id));
      const kept = text === null ? undefined : (JSON.parse(text) as Shareable);
      if (kept === undefined || kept.userId !== userId) {
        const gone = 'This answer was shared already or is too old: run the command again.';
        await postResponse(responseUrl, { text: gone }, deps);
        return;
      }
      const byline = context(mrkdwn`Shared by ${mentionUser(userId)}`);
      const blocks = [...kept.blocks, byline];
      const posted = await postResponse(
        responseUrl,
        { text: kept.text, blocks, response_type: 'in_channel' },
        deps,
      );
      const done = posted
        ? { text: kept.text, blocks: kept.blocks, replace_original: true }
        : { text: 'Slack did not take the message: run the command again and share that answer.' };
      await postResponse(responseUrl, done, deps);
    },
  };
}
