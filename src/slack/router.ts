import type { App } from '@slack/bolt';
import type { Logger } from '../lib/logger.ts';
import { Refusal, Unreadable } from '../lib/refusal.ts';
import { splitWords } from '../lib/words.ts';
import type { Word } from '../lib/words.ts';
import { SHARE_ACTION } from './answers.ts';
import type { Answers } from './answers.ts';
import { helpAnswer, unreadableAnswer } from './help-view.ts';
import { mrkdwn, section, topText } from './kit/index.ts';
import type { Modals } from './modals.ts';
import type {
  ActionRoute,
  Answer,
  CommandHelp,
  CommandRoute,
  ModalContent,
  ModalRoute,
  Person,
} from './routes.ts';

/** A command; the one that knows all others answers `help` for them, with the words after it. */
export interface HelpingRoute extends CommandRoute {
  helpOn?: (words: readonly Word[]) => Answer;
}

export interface RouterDeps {
  app: App;
  answers: Answers;
  modals: Modals;
  /** Who may use the bot at all. @throws Refusal */
  admit: (person: Person) => Promise<void>;
  /** A sentence of the platform for an error that is its, undefined for a defect of ours. */
  explain: (error: unknown) => string | undefined;
  /** Aborted when the process is asked to stop. */
  stopping: AbortSignal;
  logger: Logger;
}

/** Connects what people type and click with what the features do. */
export function route(
  deps: RouterDeps,
  commands: readonly HelpingRoute[],
  actions: readonly ActionRoute[],
  modals: readonly ModalRoute[] = [],
): void {
  const { app, answers } = deps;
  for (const command of commands) {
    app.command(command.help.command, async ({ ack, body }) => {
      await ack();
      const person = { userId: body.user_id, teamId: body.team_id };
      const asker = { userId: person.userId, responseUrl: body.response_url, byButton: false };
      await answers.reply(asker, () =>
        guarded(deps, command.help, () =>
          runCommand(deps, command, person, body.channel_id, body.text),
        ),
      );
    });
  }
  for (const action of actions) {
    app.action(action.actionId, async ({ ack, body, payload }) => {
      await ack();
      if (body.type !== 'block_actions') return;
      const person = { userId: body.user.id, teamId: body.user.team_id ?? body.team?.id ?? '' };
      const value = 'value' in payload ? payload.value : undefined;
      const asker = { userId: person.userId, responseUrl: body.response_url, byButton: true };
      await answers.reply(asker, () =>
        guarded(deps, undefined, async () => {
          await deps.admit(person);
          return action.run({ person, channelId: body.channel?.id, value });
        }),
      );
    });
  }
  for (const modal of modals) routeModal(deps, modal);
  app.action(SHARE_ACTION, async ({ ack, body, payload }) => {
    await ack();
    if (body.type !== 'block_actions') return;
    const value = 'value' in payload ? payload.value : undefined;
    await answers.share(body.response_url, body.user.id, value);
  });
}

function routeModal(deps: RouterDeps, modal: ModalRoute): void {
  deps.app.action(modal.actionId, async ({ ack, body, payload }) => {
    await ack();
    if (body.type !== 'block_actions') return;
    const person = { userId: body.user.id, teamId: body.user.team_id ?? body.team?.id ?? '' };
    const value = 'value' in payload ? payload.value : undefined;
    await deps.modals.show(body.trigger_id, modal.title, async () => {
      let content: ModalContent | undefined;
      const no = await guarded(deps, undefined, async () => {
        await deps.admit(person);
        content = await modal.load({ person, channelId: body.channel?.id, value });
        return undefined;
      });
      return content ?? { title: modal.title, blocks: no?.blocks ?? [] };
    });
  });
}

async function runCommand(
  deps: RouterDeps,
  command: HelpingRoute,
  person: Person,
  channelId: string,
  text: string | undefined,
): Promise<Answer> {
  const split = splitWords(text ?? '');
  if ('problem' in split) throw new Unreadable(split.problem);
  const [first, ...rest] = split.words;
  if (first !== undefined && isHelp(first)) {
    return command.helpOn?.(rest) ?? helpAnswer(command.help);
  }
  await deps.admit(person);
  return command.run({ person, channelId, words: split.words });
}

function isHelp({ text, quoted }: Word): boolean {
  return !quoted && text.toLowerCase() === 'help';
}

const RESTARTING = 'Purser is being restarted just now: please run the command again in a minute.';

/** Turns every failure into one private sentence: nobody is left without an answer. */
async function guarded(
  deps: RouterDeps,
  help: CommandHelp | undefined,
  run: () => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Unreadable && help !== undefined) return unreadableAnswer(help, error);
    const plain = error instanceof Refusal || error instanceof Unreadable;
    if (plain && error.cause === undefined) return sentence(error.message);
    const said = plain ? refusedByFailure(deps, help, error) : failure(deps, help, error);
    return sentence(deps.stopping.aborted ? RESTARTING : said);
  }
}

function refusedByFailure(
  { logger }: RouterDeps,
  help: CommandHelp | undefined,
  { message, cause }: Error,
): string {
  logger.warn({ err: cause, command: help?.command }, 'Someone was refused by a failure');
  return message;
}

function failure(deps: RouterDeps, help: CommandHelp | undefined, error: unknown): string {
  const fields = { err: error, command: help?.command };
  const explained = deps.explain(error);
  if (explained !== undefined) {
    deps.logger.warn(fields, 'The platform did not answer a command');
    return explained;
  }
  deps.logger.error(fields, 'A command failed');
  return 'Something went wrong inside Purser, and it was logged. Please try again.';
}

function sentence(text: string): Answer {
  const line = mrkdwn`:warning: ${text}`;
  return { text: topText(line), blocks: [section(line)] };
}
