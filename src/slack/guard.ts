import type { Logger } from '../lib/logger.ts';
import { Refusal, Unreadable } from '../lib/refusal.ts';
import type { Outcome } from './answers.ts';
import { unreadableAnswer } from './help-view.ts';
import { mrkdwn, section, topText } from './kit/index.ts';
import type { Answer, CommandHelp } from './routes.ts';

export interface GuardDeps {
  /** A sentence of the platform for an error that is its, undefined for a defect of ours. */
  explain: (error: unknown) => string | undefined;
  /** Aborted when the process is asked to stop. */
  stopping: AbortSignal;
  logger: Logger;
  /** Told of everybody who is refused for who they are, beside the log. */
  refused?: (asked: Asked, why: string) => Promise<void>;
}

/** What somebody wants. */
export interface Asked {
  userId: string;
  /** The command, or the id of the button, the menu or the form. */
  what: string;
  /** What the button or the form stands for. */
  value?: string | undefined;
}

/** Turns every failure into one private sentence: nobody is left without an answer. */
export async function guarded(
  deps: GuardDeps,
  asked: Asked,
  run: () => Promise<Answer | undefined>,
  help?: CommandHelp,
): Promise<Outcome> {
  try {
    return { answer: await run() };
  } catch (error) {
    noteRefusal(deps, asked, error);
    const answer =
      error instanceof Unreadable && help !== undefined
        ? unreadableAnswer(help, error)
        : sentence(sentenceFor(deps, error, help?.command));
    return { answer, refused: true };
  }
}

/** One line for a person who is refused for who they are; anything else is none of its business. Never throws. */
export function noteRefusal(
  { logger, refused }: Pick<GuardDeps, 'logger' | 'refused'>,
  asked: Asked,
  error: unknown,
): void {
  if (!(error instanceof Refusal) || error.why === undefined) return;
  const { why } = error;
  logger.info({ user: asked.userId, what: asked.what, why }, 'A person was refused');
  // Nobody waits for it: a no is the same when it cannot be written down.
  refused?.(asked, why).catch((failure: unknown) => {
    logger.warn({ err: failure, user: asked.userId }, 'A refusal was not written down');
  });
}

const RESTARTING = 'Purser is being restarted just now: please try again in a minute.';

/** What a person is told about something that was thrown, unescaped; logged as far as it is worth it. */
export function sentenceFor(deps: GuardDeps, error: unknown, command?: string): string {
  const plain = error instanceof Refusal || error instanceof Unreadable;
  if (plain && error.cause === undefined) return withSuggestion(error);
  const said = plain
    ? refusedByFailure(deps, command, error)
    : failure(deps, { err: error, command });
  return deps.stopping.aborted ? RESTARTING : said;
}

/** A sentence as an answer; it is escaped here. */
export function sentence(text: string): Answer {
  const line = mrkdwn`:warning: ${text}`;
  return { text: topText(line), blocks: [section(line)] };
}

function withSuggestion(error: Refusal | Unreadable): string {
  const suggestion = error instanceof Unreadable ? error.suggestion : undefined;
  return suggestion === undefined
    ? error.message
    : `${error.message} Did you mean "${suggestion}"?`;
}

function refusedByFailure(
  { logger }: GuardDeps,
  command: string | undefined,
  { message, cause }: Error,
): string {
  logger.warn({ err: cause, command }, 'Someone was refused by a failure');
  return message;
}

function failure(deps: GuardDeps, fields: { err: unknown; command?: string | undefined }): string {
  const explained = deps.explain(fields.err);
  if (explained !== undefined) {
    deps.logger.warn(fields, 'The platform did not answer a command');
    return explained;
  }
  deps.logger.error(fields, 'A command failed');
  return 'Something went wrong inside Purser, and it was logged. Please try again.';
}
