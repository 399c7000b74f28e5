import type { AllMiddlewareArgs, AnyMiddlewareArgs, Middleware } from '@slack/bolt';
import type { Logger } from '../../lib/logger.ts';
import type { Keys } from '../../store/keys.ts';
import { refusalWord } from '../../store/redis.ts';
import type { RedisConnection } from '../../store/redis.ts';

/** Why the store accepts no writes, as Redis says it. */
type WriteRefusal = 'OOM' | 'READONLY' | 'MISCONF';

/** Whether a delivery is new; `unavailable` when the store does not answer in time. */
export type DeliveryState = 'new' | 'seen' | 'unavailable' | WriteRefusal;

/** Remembers an id and tells whether it was known. Shared by all processes of the bot. Never rejects. */
export type Dedupe = (id: string) => Promise<DeliveryState>;

/** Slack delivers an event up to three times within about five minutes; ids are kept twice as long. */
const REMEMBER_MS = 10 * 60_000;
/** Asked twice for a signed request, and its acknowledgement is due after three seconds. */
const TIMEOUT_MS = 600;

export const UNAVAILABLE =
  'Purser cannot reach its own store just now, so nothing was done. Please try again in a minute.';

const notWritten = (word: WriteRefusal, fix: string): string =>
  `Purser’s store takes no writes (Redis says ${word}), so nothing was done: whoever runs Purser has to ${fix}.`;

/** What a person is told where it is not known whether a delivery is new. */
const SENTENCES: Readonly<Record<Exclude<DeliveryState, 'new' | 'seen'>, string>> = {
  unavailable: UNAVAILABLE,
  OOM: notWritten('OOM', 'give Redis more memory (maxmemory)'),
  READONLY: notWritten('READONLY', 'name the primary in REDIS_URL, because this is a replica'),
  MISCONF: notWritten('MISCONF', 'look into the log of Redis, and whether its disk is full'),
};

export function createDedupe(redis: RedisConnection, keys: Keys): Dedupe {
  return async (id) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<DeliveryState>((resolve) => {
      timer = setTimeout(() => resolve('unavailable'), TIMEOUT_MS);
    });
    const state = redis.set(keys.seen(id), '1', 'PX', REMEMBER_MS, 'NX').then(
      (answer): DeliveryState => (answer === 'OK' ? 'new' : 'seen'),
      (error: unknown): DeliveryState => writeRefusal(error) ?? 'unavailable',
    );
    return Promise.race([state, late]).finally(() => clearTimeout(timer));
  };
}

function writeRefusal(error: unknown): WriteRefusal | undefined {
  const word = refusalWord(error);
  return word === 'OOM' || word === 'READONLY' || word === 'MISCONF' ? word : undefined;
}

type Args = AnyMiddlewareArgs & AllMiddlewareArgs;

/**
 * Lets each delivery through once: Slack repeats what it believes lost, and a click may arrive on
 * two connections. A repeated one is acknowledged and has no effect.
 */
export function dedupeDeliveries(dedupe: Dedupe, logger: Logger): Middleware<AnyMiddlewareArgs> {
  return async (args: Args) => {
    const body = args.body as { event_id?: unknown; trigger_id?: unknown; type?: unknown };
    const id = body.event_id ?? body.trigger_id;
    // view_closed and option loads carry no id; they may run twice.
    const state = typeof id === 'string' ? await dedupe(`delivery:${id}`) : 'new';
    if (state === 'new') return args.next();
    if (state === 'seen') {
      logger.info({ kind: body.type ?? 'command' }, 'A repeated delivery was ignored');
      return acknowledge(args);
    }
    if (state !== 'unavailable') logger.error({ says: state }, 'Redis takes no writes');
    return refuse(args, SENTENCES[state]);
  };
}

async function acknowledge(args: Args): Promise<void> {
  if ('ack' in args && args.ack !== undefined) await args.ack();
}

async function refuse(args: Args, text: string): Promise<void> {
  if ('command' in args && args.command !== undefined) {
    await args.ack({ response_type: 'ephemeral', text });
    return;
  }
  if ('view' in args && args.view !== undefined && args.body.type === 'view_submission') {
    const input = args.body.view.blocks.find((block) => block.type === 'input');
    const ack = args.ack as (answer?: object) => Promise<void>;
    const errors = { [input?.block_id ?? '']: text };
    await ack(input === undefined ? undefined : { response_action: 'errors', errors });
    return;
  }
  await acknowledge(args);
  if ('respond' in args && args.respond !== undefined) {
    await args.respond({ text, response_type: 'ephemeral', replace_original: false });
  }
}
