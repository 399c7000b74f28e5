import { randomUUID } from 'node:crypto';
import { Refusal, UsageError } from '../../lib/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Keys, RedisConnection } from '../../store/redis.ts';
import { section, topText } from '../kit/blocks.ts';
import { mrkdwn } from '../kit/text.ts';
import type { Answer, Attempt, CommandHelp, SlackRoutes } from '../routing/routes.ts';
import { unreadableAnswer } from './help-view.ts';

/** What buttons stand for, as JSON, each for one person. */
export interface InteractionStore {
  /** Kept for a day, or `forMs` milliseconds. Gives the id for the button; undefined when it could not be kept, which is logged. */
  put(userId: string, value: unknown, forMs?: number): Promise<string | undefined>;
  /** What was kept for this person; undefined when it is too old or another person's. @throws when the store does not answer */
  get(userId: string, id: string): Promise<unknown>;
}

/** People come back to an answer on the same day. */
const KEEP_MS = DAY_MS;

export function createInteractionStore({
  redis,
  keys,
  logger,
}: {
  redis: RedisConnection;
  keys: Keys;
  logger: Logger;
}): InteractionStore {
  /** The key contains the person: the id is of no use to another. */
  const keyOf = (userId: string, id: string): string => keys.kept(`${userId}:${id}`);
  return {
    async put(userId, value, forMs = KEEP_MS) {
      const id = randomUUID();
      try {
        await redis.set(keyOf(userId, id), JSON.stringify(value), 'PX', forMs);
        return id;
      } catch (error) {
        logger.warn({ err: error }, 'What a button stands for was not kept');
        return undefined;
      }
    },
    async get(userId, id) {
      const text = await redis.get(keyOf(userId, id));
      return text === null ? undefined : (JSON.parse(text) as unknown);
    },
  };
}

/** What it takes to turn errors into answers. */
export interface ErrorHandling {
  /** A sentence for an error of the platform; undefined for any other error. */
  explain: (error: unknown) => string | undefined;
  /** Aborted when the process is asked to stop. */
  stopping: AbortSignal;
  logger: Logger;
  refused?: SlackRoutes['refused'];
}

/** How a request ended: with an answer, with nothing to say, or with a sentence that says why not. */
export interface Outcome {
  answer: Answer | undefined;
  /** Takes nothing away from what the person had. */
  refused?: true;
}

/** Turns every error into one private sentence, so that every request is answered. Never rejects. */
export async function errorBoundary(
  handling: ErrorHandling,
  attempt: Attempt,
  run: () => Promise<Answer | undefined>,
  help?: CommandHelp,
): Promise<Outcome> {
  try {
    return { answer: await run() };
  } catch (error) {
    noteRefusal(handling, attempt, error);
    const answer =
      error instanceof UsageError && help !== undefined
        ? unreadableAnswer(help, error)
        : warningAnswer(sentenceFor(handling, error, help?.command));
    return { answer, refused: true };
  }
}

/** Logs and reports when a person is refused for who they are; ignores any other error. Never throws. */
export function noteRefusal(
  { logger, refused }: Pick<ErrorHandling, 'logger' | 'refused'>,
  attempt: Attempt,
  error: unknown,
): void {
  if (!(error instanceof Refusal) || error.why === undefined) return;
  const { why } = error;
  logger.info({ user: attempt.userId, what: attempt.what, why }, 'A person was refused');
  // Not awaited: the refusal holds whether it could be recorded or not.
  refused?.(attempt, why).catch((failure: unknown) => {
    logger.warn({ err: failure, user: attempt.userId }, 'A refusal was not written down');
  });
}

const RESTARTING = 'Purser is being restarted just now: please try again in a minute.';

/** What a person is told about an error, unescaped; the error is logged unless it is a plain refusal. */
export function sentenceFor(handling: ErrorHandling, error: unknown, command?: string): string {
  const plain = error instanceof Refusal || error instanceof UsageError;
  if (plain && error.cause === undefined) return withSuggestion(error);
  const sentence = plain
    ? refusedByFailure(handling, command, error)
    : failure(handling, { err: error, command });
  return handling.stopping.aborted ? RESTARTING : sentence;
}

/** A sentence with a warning sign as an answer; it is escaped here. */
export function warningAnswer(text: string): Answer {
  const line = mrkdwn`:warning: ${text}`;
  return { text: topText(line), blocks: [section(line)] };
}

function withSuggestion(error: Refusal | UsageError): string {
  const suggestion = error instanceof UsageError ? error.suggestion : undefined;
  return suggestion === undefined
    ? error.message
    : `${error.message} Did you mean "${suggestion}"?`;
}

function refusedByFailure(
  { logger }: ErrorHandling,
  command: string | undefined,
  { message, cause }: Error,
): string {
  logger.warn({ err: cause, command }, 'Someone was refused by a failure');
  return message;
}

function failure(
  handling: ErrorHandling,
  fields: { err: unknown; command?: string | undefined },
): string {
  const explained = handling.explain(fields.err);
  if (explained !== undefined) {
    handling.logger.warn(fields, 'The platform did not answer a command');
    return explained;
  }
  handling.logger.error(fields, 'A command failed');
  return 'Something went wrong inside Purser and was logged: please try again.';
}
