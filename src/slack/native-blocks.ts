import type { KnownBlock } from '@slack/types';
import { DAY_MS } from '../lib/time.ts';
import type { Logger } from '../lib/logger.ts';
import type { Keys, RedisConnection } from '../store/redis.ts';
import { isChart, plainChart } from './kit/charts.ts';
import { plainTable } from './kit/tables.ts';

/** Where Slack shows blocks: each of them got data tables and charts at another time, or not yet. */
export type Surface = 'private' | 'message' | 'home';

/** One attempt to send something. @param blocks undefined at last */
type Attempt<Result> = (blocks: readonly KnownBlock[] | undefined) => Promise<Result>;

/**
 * Content that Slack may refuse for its blocks: sent as it is, then with tables and words in place of data tables and
 * charts, then without blocks. A refusal is remembered for a day, for its surface.
 */
export interface NativeBlocks {
  /**
   * @param isRefused whether Slack does not take this content
   * @returns the result of the last of at most three attempts
   */
  send<Result>(
    surface: Surface,
    blocks: readonly KnownBlock[] | undefined,
    attempt: Attempt<Result>,
    isRefused: (result: Result) => boolean,
  ): Promise<Result>;
}

export function createNativeBlocks(deps: {
  redis: RedisConnection;
  keys: Keys;
  logger: Logger;
}): NativeBlocks {
  const { redis, keys, logger } = deps;

  /** When Redis does not answer, Slack is asked. */
  async function isPlain(surface: Surface): Promise<boolean> {
    return redis.exists(keys.plainBlocks(surface)).then(
      (count) => count > 0,
      () => false,
    );
  }

  async function remember(surface: Surface): Promise<void> {
    logger.warn(
      { surface },
      'Slack does not take data tables or charts here: plain ones for a day',
    );
    await redis.set(keys.plainBlocks(surface), '1', 'PX', DAY_MS).catch(() => undefined);
  }

  return {
    async send(surface, blocks, attempt, isRefused) {
      const isNative = blocks?.some(isNativeBlock) === true;
      const mayTry = isNative && !(await isPlain(surface));
      if (mayTry) {
        const result = await attempt(blocks);
        if (!isRefused(result)) return result;
      }
      const result = await attempt(isNative ? plainBlocks(blocks) : blocks);
      if (isRefused(result)) return blocks === undefined ? result : attempt(undefined);
      if (mayTry) await remember(surface);
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
