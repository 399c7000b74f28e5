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
}

/** Turns every failure into one private sentence: nobody is left without an answer. */
export async function guarded(
  deps: GuardDeps,
  help: CommandHelp | undefined,
  run: () => Promise<Answer | undefined>,
): Promise<Outcome> {
  try {
    return { answer: await run() };
  } catch (error) {
    const answer =
      error instanceof Unreadable && help !== undefined
        ? unreadableAnswer(help, error)
        : sentence(sentenceFor(deps, error, help?.command));
    return { answer, refused: true };
  }
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
