import type { App } from '@slack/bolt';
import { Refusal, UsageError } from '../../lib/errors.ts';
import { escapeTyped, nearest, splitWords, type Word } from '../../lib/words.ts';
import { endWork, workEnd, type WorkEnd } from '../../lib/work-log.ts';
import { COMMANDS, record } from '../../metrics.ts';
import { isConfirmed, requireOwnReaders } from '../audience.ts';
import { createAnswers, type Recipient } from '../replies/answers.ts';
import { helpAnswer, RUN_ACTION, WORDS_ACTION } from '../replies/help-view.ts';
import {
  errorBoundary,
  forAdmitted,
  NOTES_ACTION,
  notesWindow,
  type Outcome,
  PAGE_ACTION,
  readShared,
  REST_ACTION,
  restWindow,
  SHARE_ACTION,
  shareQuestion,
  type Shared,
  warningAnswer,
} from '../replies/reply.ts';
import { askedIn, OLD_ANSWER } from '../replies/shelf.ts';
import { attemptOf, type Click, createListeners } from './clicks.ts';
import { createHome, type HomeServices, routeHome } from './home.ts';
import { commandIn, isWhy, openingAnswer, WHY_WHERE, type Written, writtenIn } from './mentions.ts';
import type { PersonLimit } from './person-limit.ts';
import type {
  ActionContext,
  Answer,
  CommandContext,
  CommandRoute,
  ModalContent,
  Opening,
  QuestionRoute,
  SlackRoutes,
} from './routes.ts';
import { openForm, routeForm, routeModal, routeReveal, type RoutingServices } from './windows.ts';

type SlackServices<Principal extends object> = Omit<
  RoutingServices,
  'app' | 'answers' | 'home' | 'mayGoOn'
> & {
  readonly app: App;
  /** Absent: no limit. */
  readonly limit?: PersonLimit;
} & HomeServices<Principal> &
  Parameters<typeof createAnswers>[0];

export function connectFeatures<Principal extends object>(
  slackServices: SlackServices<Principal>,
  features: readonly SlackRoutes<Principal>[],
): void {
  const services: SlackServices<Principal> = {
    ...slackServices,
    refused: async (attempt, why) => {
      for (const feature of features) await feature.refused?.(attempt, why);
    },
    refusals: Object.assign({}, ...features.map(({ refusals }) => refusals)),
  };
  const parts = features.flatMap(({ home }) => home ?? []);
  const answers = createAnswers(services);
  const mayGoOn = async (recipient: Recipient, refusal?: string): Promise<boolean> => {
    const limit = refusal === undefined ? await services.limit?.(recipient.userId) : undefined;
    const sentence = refusal ?? limit;
    if (sentence === undefined) return true;
    endWork('refused');
    if (limit !== undefined) record.refusals.inc({ why: 'person-limit' });
    await answers.say(recipient, warningAnswer(sentence));
    return false;
  };
  const app = createListeners(services.app, mayGoOn);
  route({ ...services, app, answers, mayGoOn, home: createHome(services, parts) }, features);
}

export function route(services: RoutingServices, features: readonly SlackRoutes<never>[]): void {
  for (const { commands, actions, modals, forms, reveals } of features) {
    for (const command of commands ?? []) routeCommand(services, command);
    for (const action of actions ?? []) {
      const { actionId, inPlace } = action;
      routeAction(services, actionId, ({ context }) => action.run(context), inPlace);
    }
    for (const modal of modals ?? []) routeModal(services, modal);
    for (const form of forms ?? []) routeForm(services, form);
    for (const reveal of reveals ?? []) routeReveal(services, reveal);
  }
  const { app, home } = services;
  if (home !== undefined) {
    routeHome(app, home, async (person) => {
      for (const { opened } of features) await opened?.(person);
    });
  }
  const commands = features.flatMap((feature) => feature.commands ?? []);
  routeMistakes(services, commands);
  routeMessages(services, features, commands);
  app.event('member_joined_channel', async ({ event }) => {
    const { user, channel, event_ts: eventTs } = event;
    for (const { joined } of features)
      await joined?.({ userId: user, channelId: channel, eventTs });
  });
  routeSharing(services);
  const questions = features.flatMap((feature) => feature.questions ?? []);
  routeAction(services, PAGE_ACTION, ({ context }) => turnPage(services, questions, context), true);
  routeWindow(services, NOTES_ACTION, notesWindow);
  routeWindow(services, REST_ACTION, restWindow);
}

/** A button or a select with a private answer. */
function routeAction(
  services: RoutingServices,
  actionId: string,
  run: (click: Click) => Promise<Answer | undefined>,
  inPlace?: boolean,
): void {
  services.app.click(actionId, async (click) => {
    const { recipient, context } = click;
    const admitted = () =>
      forAdmitted(services, context.person, attemptOf(click), () => run(click));
    await services.answers.reply(recipient, admitted, inPlace);
    if (recipient.home === true) await services.home?.refresh(context.person);
  });
}

/** Whether an answer that needs this right holds no billing figures. */
function isOpenRight(needs: string | undefined): boolean {
  return needs === undefined || needs === 'orgs' || needs.startsWith('orgs:');
}

function routeSharing(services: RoutingServices): void {
  services.app.click(SHARE_ACTION, async (click) => {
    const { context, recipient } = click;
    const { person, value } = context;
    const shared = readShared(value);
    await services.answers.share(recipient, shared.id, async ({ needs }) => {
      const { answer: refusal } = await forAdmitted(
        services,
        person,
        attemptOf(click),
        async () => {
          await services.requireRight(person, needs);
          return isOpenRight(needs) ? undefined : confirmReaders(services, context, shared);
        },
      );
      return refusal;
    });
  });
}

/**
 * Figures are not shared where another company reads; where guests read, that is confirmed first.
 * @returns the question; undefined: nothing is left to be asked
 * @throws Refusal
 */
async function confirmReaders(
  { audience }: Pick<RoutingServices, 'audience'>,
  { person, channelId }: Click['context'],
  { id = '', guests: confirmed }: Shared,
): Promise<Answer | undefined> {
  const channel = channelId ?? '';
  requireOwnReaders(await audience.audienceOf(channel, { of: person.userId, fresh: true }));
  const guests = await audience.guestsIn(channel);
  return isConfirmed(guests, confirmed) ? undefined : shareQuestion(id, guests);
}

/** The buttons that turn the pages of an answer: its question is asked again. */
async function turnPage(
  { kept }: RoutingServices,
  questions: readonly QuestionRoute[],
  context: ActionContext,
): Promise<Answer> {
  const { route: name, question } = await askedIn(kept, context);
  const asked = questions.find((one) => one.name === name);
  if (asked === undefined) throw new Refusal(OLD_ANSWER);
  return asked.ask(context, question, Number(context.value));
}

/** A button that opens more of an answer in a window, for the person who may still see it. */
function routeWindow(
  services: RoutingServices,
  actionId: string,
  windowOf: (answer: Answer) => ModalContent,
): void {
  routeModal(services, {
    actionId,
    title: 'More',
    async load({ person, value }) {
      const answer = await services.answers.shown(person.userId, value);
      await services.requireRight(person, answer.needs);
      return windowOf(answer);
    },
  });
}

function routeCommand(services: RoutingServices, command: CommandRoute): void {
  const { command: what } = command.help;
  services.app.command(what, (typed) => {
    const { user_id: userId, channel_id: channelId, response_url: responseUrl } = typed;
    return runTyped(services, command, typed.text, {
      context: { person: { userId, teamId: typed.team_id }, channelId, value: undefined },
      triggerId: typed.trigger_id,
      recipient: { userId, responseUrl },
      what,
    });
  });
}

/** Measures a command until its answer is shown, or its form is open. */
async function measured(name: string, run: () => Promise<void>): Promise<void> {
  const began = performance.now();
  let result: WorkEnd = 'failed';
  try {
    await run();
    result = workEnd();
  } finally {
    const command = COMMANDS.find((one) => one === name);
    const seconds = (performance.now() - began) / 1_000;
    if (command !== undefined) record.commands.observe({ command, result }, seconds);
  }
}

/** Answers a command, or opens its form. @param click the command, or its button */
function runTyped(
  services: RoutingServices,
  command: CommandRoute,
  text: string | undefined,
  click: Click,
): Promise<void> {
  const { person, channelId = '' } = click.context;
  return measured(command.help.command, async () => {
    const typed = read(command, text);
    if ('form' in typed) {
      const { form, value } = typed;
      const context = { ...click.context, value };
      return openForm(services, form, { ...click, context, what: form.actionId });
    }
    const attempt = { userId: person.userId, what: command.help.command };
    const run = () => answerTyped(services, command, typed, { person, channelId });
    await services.answers.reply(
      click.recipient,
      () => errorBoundary(services, attempt, run, command.help),
      true,
    );
  });
}

/** Mentions, and direct messages: the words of a command, without its slash or with it. */
function routeMessages(
  services: RoutingServices,
  features: readonly SlackRoutes<never>[],
  commands: readonly CommandRoute[],
): void {
  const { app, answers } = services;
  const listen = async (event: object, teamId = ''): Promise<void> => {
    const written = writtenIn(event, teamId);
    if (written === undefined) return;
    const { person, text, place } = written;
    const recipient = { userId: person.userId, place };
    if (!(await services.mayGoOn(recipient))) return;
    if (isWhy(text)) return answers.reply(recipient, () => answerWhy(services, features, written));
    const found = commandIn(text, commands);
    await measured(found.command.help.command, () =>
      answers.reply(recipient, () => answerWritten(services, found, written)),
    );
  };
  app.event('app_mention', ({ event, body }) => listen(event, body.team_id));
  app.event('message', ({ event, body }) => listen(event, body.team_id));
}

function answerWhy(
  services: RoutingServices,
  features: readonly SlackRoutes<never>[],
  { person, place: { channel: channelId, threadTs } }: Written,
): Promise<Outcome> {
  return forAdmitted(services, person, { userId: person.userId, what: 'why' }, async () => {
    for (const { why } of features) {
      const answer = await why?.({ person, channelId, threadTs });
      if (answer !== undefined) return answer;
    }
    throw new Refusal(WHY_WHERE);
  });
}

function answerWritten(
  services: RoutingServices,
  { command, words, unknown }: ReturnType<typeof commandIn>,
  { person, place }: Written,
): Promise<Outcome> {
  const attempt = { userId: person.userId, what: command.help.command };
  const run = async (): Promise<Answer> => {
    const reading = read(command, words);
    const isKnown = unknown === undefined || 'unreadable' in reading;
    const typed = isKnown ? reading : { unreadable: unknown };
    if (!('form' in typed)) {
      return answerTyped(services, command, typed, { person, channelId: place.channel });
    }
    await services.authorize(person);
    return openingAnswer(typed);
  };
  return errorBoundary(services, attempt, run, command.help);
}

/** The buttons below a mistake: they run the suggestion, and show all words of the command. */
function routeMistakes(services: RoutingServices, commands: readonly CommandRoute[]): void {
  const named = ({ context: { value = '' } }: Click) => {
    const [name, ...rest] = value.split(' ');
    return { command: commands.find(({ help }) => help.command === name), rest: rest.join(' ') };
  };
  services.app.click(RUN_ACTION, async (click) => {
    const { command, rest } = named(click);
    // Slack escapes typed text, and this was read from it.
    if (command) await runTyped(services, command, rest.replaceAll('&', '&amp;'), click);
  });
  routeAction(
    services,
    WORDS_ACTION,
    async (click) => {
      const { command } = named(click);
      return command && helpAnswer(command.help, click.context.value);
    },
    true,
  );
}

/** The words after a command: help, an error, a form to open, or a command to run. */
type Typed =
  /** The words after `help`. */
  | { help: readonly Word[] }
  | { unreadable: unknown }
  | Opening
  | { command: unknown; first: Word | undefined };

/** Quick, because a form has to be opened within three seconds. Never throws. */
function read(command: CommandRoute, text = ''): Typed {
  const split = splitWords(text);
  if ('problem' in split) return { unreadable: new UsageError(split.problem) };
  const { words } = split;
  const [first, ...rest] = words;
  try {
    if (first?.quoted === false && HELP_WORDS.has(first.text.toLowerCase())) return { help: rest };
    const parsed = command.parse(words);
    return 'form' in parsed ? parsed : { ...parsed, first };
  } catch (error) {
    return { unreadable: withHelp(error, first, command) };
  }
}

async function answerTyped(
  services: RoutingServices,
  command: CommandRoute,
  typed: Exclude<Typed, Opening>,
  context: CommandContext,
): Promise<Answer> {
  if ('help' in typed) return command.helpOn?.(typed.help, context) ?? helpAnswer(command.help);
  await services.authorize(context.person);
  if ('unreadable' in typed) throw typed.unreadable;
  try {
    return await command.run(typed.command, context);
  } catch (error) {
    throw withHelp(error, typed.first, command);
  }
}

/** The last one is the autocorrected form of `--help` on phones. */
const HELP_WORDS = new Set(['help', '?', '-h', '--help', '—help']);

/** Keeps a suggestion only if it can be run as it is; suggests `help` for words that are nearly that. */
function withHelp(error: unknown, first: Word | undefined, command: CommandRoute): unknown {
  if (!(error instanceof UsageError)) return error;
  const { suggestion, other } = error;
  const understood = (meant?: string) =>
    meant !== undefined && isUnderstood(meant, command) ? meant : undefined;
  if (understood(suggestion) !== undefined) return error.meaning(suggestion, understood(other));
  const isHelpMeant =
    suggestion === undefined &&
    first?.quoted === false &&
    nearest(first.text, ['help']) !== undefined;
  const help = isHelpMeant ? `${command.help.command} help` : undefined;
  return error.meaning(help);
}

/** Whether a suggestion parses without a mistake; one with a placeholder does not. */
function isUnderstood(suggestion: string, command: CommandRoute): boolean {
  const [name, ...rest] = suggestion.split(' ');
  const split = splitWords(escapeTyped(rest.join(' ')));
  if (rest.join(' ') === 'help') return true;
  if (name !== command.help.command || 'problem' in split) return false;
  try {
    command.parse(split.words);
    return true;
  } catch {
    return false;
  }
}
