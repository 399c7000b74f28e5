import type { KnownBlock } from '@slack/types';
import { DAY_MS } from '../lib/time.ts';
import type { Logger } from '../lib/logger.ts';
import type { Keys, RedisConnection } from '../store/redis.ts';
import { isChart, plainChart } from './kit/charts.ts';
import { plainTable } from './kit/tables.ts';

/** Where Slack shows blocks: each of them got data tables and charts at another time, or not yet. */
type Surface = 'private' | 'message' | 'home';

export type NativeBlocks = ReturnType<typeof createNativeBlocks>;

export function createNativeBlocks({
  redis,
  keys,
  logger,
}: {
  redis: RedisConnection;
  keys: Keys;
  logger: Logger;
}) {
  return {
    /**
     * Sends content that Slack may refuse for its blocks: as it is, then with tables and words in place of data tables
     * and charts, then without blocks. A refusal is remembered for a day, for its surface.
     * @param attempt its `blocks` are undefined at last
     * @param isRefused whether Slack does not take this content
     * @returns the result of the last of at most three attempts
     */
    async send<Result>(
      surface: Surface,
      blocks: readonly KnownBlock[] | undefined,
      attempt: (blocks: readonly KnownBlock[] | undefined) => Promise<Result>,
      isRefused: (result: Result) => boolean,
    ): Promise<Result> {
      const key = keys.plainBlocks(surface);
      const isNative = blocks?.some(isNativeBlock) === true;
      // When Redis does not answer, Slack is asked.
      const mayTry = isNative && (await redis.exists(key).catch(() => 0)) === 0;
      if (mayTry) {
        const result = await attempt(blocks);
        if (!isRefused(result)) return result;
      }
      const result = await attempt(isNative ? plainBlocks(blocks) : blocks);
      if (isRefused(result)) return blocks === undefined ? result : attempt(undefined);
      if (mayTry) {
        logger.warn(
          { surface },
          'Slack does not take data tables or charts here: plain ones for a day',
        );
        await redis.set(key, '1', 'PX', DAY_MS).catch(() => undefined);
      }
      return result;
    },
  };
}

export function isNativeBlock(block: KnownBlock): boolean {
  return block.type === 'data_table' || isChart(block);
}

/** The same for a Slack that takes neither data tables nor charts. */
export function plainBlocks(blocks: readonly KnownBlock[]): KnownBlock[] {
  return blocks.flatMap((block) => {
    if (isChart(block)) return [plainChart(block)];
    return block.type === 'data_table' ? plainTable(block) : [block];
  });
}
