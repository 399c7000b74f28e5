import type { App } from '@slack/bolt';
import { Refusal, UsageError } from '../../lib/errors.ts';
import { escapeTyped, nearest, splitWords, type Word } from '../../lib/words.ts';
import { endWork, workEnd, type WorkEnd } from '../../lib/work-log.ts';
import { COMMANDS, record } from '../../metrics.ts';
import { LINK_ACTION } from '../kit/blocks.ts';
import { type Answers, createAnswers } from '../replies/answers.ts';
import { helpAnswer, RUN_ACTION, WORDS_ACTION } from '../replies/help-view.ts';
import {
  actionPattern,
  errorBoundary,
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
import { isConfirmed, requireOwnReaders } from '../audience.ts';
import { askedIn, OLD_ANSWER } from '../replies/shelf.ts';
import { openForm, routeForm } from './form-routes.ts';
import { type RoutingServices, routeModal, routeReveal } from './modal-routes.ts';
import { createHome, routeHome, type HomeServices } from './home.ts';
import { createListeners, type Listeners } from './listeners.ts';
import {
  commandIn,
  isWhy,
  openingAnswer,
  recipientOfWritten,
  WHY_WHERE,
  type Written,
  writtenIn,
} from './mentions.ts';
import {
  attemptOf,
  createModals,
  onClick,
  readClick,
  recipientOf,
  type Click,
  type Origin,
} from './modals.ts';
import type { PersonLimit } from './person-limit.ts';
import type {
  ActionRoute,
  Answer,
  CommandContext,
  CommandRoute,
  ModalContent,
  Opening,
  Person,
  QuestionRoute,
  SlackRoutes,
} from './routes.ts';

type SlackServices<Principal extends object> = Omit<
  RoutingServices,
  'app' | 'answers' | 'modals' | 'home'
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
  const listeners = createListeners(services.app);
  route(
    {
      ...services,
      app: services.limit ? limited(listeners, answers, services.limit) : listeners,
      answers,
      modals: createModals(services),
      home: createHome(services, parts),
    },
    features,
  );
}

const LINK_PATTERN = actionPattern(LINK_ACTION);

/** Counts commands and clicks. Choices in an open form are free, as submitting and closing it are. */
function limited(listeners: Listeners, answers: Answers, limit: PersonLimit): Listeners {
  const refuse = (person: Person, origin: Origin, sentence: string): Promise<void> =>
    answers.reply(recipientOf(person, origin, false), () => overLimit(sentence));
  return {
    ...listeners,
    command(name, listener) {
      listeners.command(name, async (args) => {
        const { user_id: userId, team_id: teamId, response_url: responseUrl } = args.body;
        const sentence = await limit(userId);
        if (sentence === undefined) return listener(args);
        await args.ack();
        await refuse({ userId, teamId }, { responseUrl, replaceable: false }, sentence);
      });
    },
    action(place, listener) {
      const isFree = place === LINK_PATTERN || (typeof place === 'object' && 'action_id' in place);
      listeners.action(place, async (args) => {
        const { body } = args;
        const isCounted = !isFree && body.type === 'block_actions';
        const sentence = isCounted ? await limit(body.user.id) : undefined;
        if (sentence === undefined || body.type !== 'block_actions') return listener(args);
        await args.ack();
        const { context, origin } = readClick(body);
        await refuse(context.person, origin, sentence);
      });
    },
  };
}

export function route(
  services: RoutingServices & { readonly limit?: PersonLimit },
  features: readonly SlackRoutes<never>[],
): void {
  for (const { commands, actions, modals, forms, reveals } of features) {
    for (const command of commands ?? []) routeCommand(services, command);
    for (const action of actions ?? []) routeAction(services, action);
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
  routeMistakes(services, commandsOf(features));
  routeMessages(services, features);
  app.event('member_joined_channel', async ({ event }) => {
    const { user, channel, event_ts: eventTs } = event;
    for (const { joined } of features)
      await joined?.({ userId: user, channelId: channel, eventTs });
  });
  routeSharing(services);
  routePages(
    services,
    features.flatMap(({ questions = [] }) => questions),
  );
  routeWindow(services, NOTES_ACTION, notesWindow);
  routeWindow(services, REST_ACTION, restWindow);
  // Slack sends these clicks, too, and marks the button as failed unless they are acknowledged.
  app.action(LINK_PATTERN, ({ ack }) => ack());
}

/** Whether an answer that needs this right holds no billing figures. */
function isOpenRight(needs: string | undefined): boolean {
  return needs === undefined || needs === 'orgs' || needs.startsWith('orgs:');
}

function routeSharing(services: RoutingServices): void {
  onClick(services, SHARE_ACTION, async (click) => {
    const { context, origin } = click;
    const { person, value } = context;
    const shared = readShared(value);
    await services.answers.share(
      recipientOf(person, origin, true),
      shared.id,
      async ({ needs }) => {
        const { answer: refusal } = await errorBoundary(services, attemptOf(click), async () => {
          await services.authorize(person);
          await services.requireRight(person, needs);
          return isOpenRight(needs) ? undefined : confirmReaders(services, context, shared);
        });
        return refusal;
      },
    );
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
function routePages(services: RoutingServices, questions: readonly QuestionRoute[]): void {
  routeAction(services, {
    actionId: PAGE_ACTION,
    inPlace: true,
    async run(context) {
      const { route: name, question } = await askedIn(services.kept, context);
      const asked = questions.find((one) => one.name === name);
      if (asked === undefined) throw new Refusal(OLD_ANSWER);
      return asked.ask(context, question, Number(context.value));
    },
  });
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
  services.app.command(command.help.command, async ({ ack, body }) => {
    await ack();
    const person = { userId: body.user_id, teamId: body.team_id };
    const { channel_id: channelId, response_url: responseUrl, trigger_id: triggerId } = body;
    await runTyped(services, command, body.text, {
      context: { person, channelId, value: undefined },
      triggerId,
      origin: { responseUrl, replaceable: false },
      what: command.help.command,
    });
  });
}

function overLimit(sentence: string): Promise<Outcome> {
  endWork('refused');
  record.refusals.inc({ why: 'person-limit' });
  return Promise.resolve({ answer: warningAnswer(sentence), refused: true });
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
  return measured(command.help.command, () => answerOrOpen(services, command, text, click));
}

async function answerOrOpen(
  services: RoutingServices,
  command: CommandRoute,
  text: string | undefined,
  click: Click,
): Promise<void> {
  const { context, origin } = click;
  const { person, channelId = '' } = context;
  const typed = read(command, text);
  if ('form' in typed) {
    const { form, value } = typed;
    return openForm(services, form, {
      ...click,
      context: { ...context, value },
      what: form.actionId,
    });
  }
  await services.answers.reply(recipientOf(person, origin, true), () =>
    errorBoundary(
      services,
      { userId: person.userId, what: command.help.command },
      () => answerTyped(services, command, typed, { person, channelId }),
      command.help,
    ),
  );
}

/** Mentions, and direct messages: the words of a command, without its slash or with it. */
function routeMessages(
  services: RoutingServices & { readonly limit?: PersonLimit },
  features: readonly SlackRoutes<never>[],
): void {
  const answer = async (written: Written): Promise<void> => {
    const { person } = written;
    const sentence = await services.limit?.(person.userId);
    const reply = (run: () => Promise<Outcome>): Promise<void> =>
      services.answers.reply(recipientOfWritten(written), run);
    if (sentence !== undefined) return reply(() => overLimit(sentence));
    const command = isWhy(written.text)
      ? ''
      : commandIn(written.text, commandsOf(features)).command.help.command;
    await measured(command, () => reply(() => answerMessage(services, features, written)));
  };
  const listen = async (event: object, teamId: string | undefined): Promise<void> => {
    const written = writtenIn(event, teamId ?? '');
    if (written !== undefined) await answer(written);
  };
  const { app } = services;
  app.event('app_mention', ({ event, body }) => listen(event, body.team_id));
  app.event('message', ({ event, body }) => listen(event, body.team_id));
}

function answerMessage(
  services: RoutingServices,
  features: readonly SlackRoutes<never>[],
  { person, channelId, text, threadTs }: Written,
): Promise<Outcome> {
  const context = { person, channelId };
  if (isWhy(text)) {
    return errorBoundary(services, { userId: person.userId, what: 'why' }, async () => {
      await services.authorize(person);
      for (const { why } of features) {
        const answer = await why?.({ ...context, threadTs });
        if (answer !== undefined) return answer;
      }
      throw new Refusal(WHY_WHERE);
    });
  }
  const { command, words, unknown } = commandIn(text, commandsOf(features));
  const attempt = { userId: context.person.userId, what: command.help.command };
  const run = async (): Promise<Answer> => {
    const typed = unknown === undefined ? read(command, words) : { unreadable: unknown };
    if (!('form' in typed)) return answerTyped(services, command, typed, context);
    await services.authorize(context.person);
    return openingAnswer(typed);
  };
  return errorBoundary(services, attempt, run, command.help);
}

function commandsOf(features: readonly SlackRoutes<never>[]): CommandRoute[] {
  return features.flatMap(({ commands = [] }) => commands);
}

/** The buttons below a mistake: they run the suggestion, and show all words of the command. */
function routeMistakes(services: RoutingServices, commands: readonly CommandRoute[]): void {
  const listen = (
    actionId: string,
    run: (command: CommandRoute, rest: string, click: Click) => Promise<void>,
  ): void => {
    onClick(services, actionPattern(actionId), async (click) => {
      const [name = '', ...rest] = (click.context.value ?? '').split(' ');
      const command = commands.find(({ help }) => help.command === name);
      if (command !== undefined) await run(command, rest.join(' '), click);
    });
  };
  // Slack escapes typed text, and this was read from it.
  listen(RUN_ACTION, (command, rest, click) =>
    runTyped(services, command, rest.replaceAll('&', '&amp;'), click),
  );
  listen(WORDS_ACTION, ({ help }, _, click) => {
    const { person, value } = click.context;
    return services.answers.reply(recipientOf(person, click.origin, true), () =>
      errorBoundary(services, attemptOf(click), async () => {
        await services.authorize(person);
        return helpAnswer(help, value);
      }),
    );
  });
}

function routeAction(services: RoutingServices, action: ActionRoute): void {
  onClick(services, actionPattern(action.actionId), async (click) => {
    const { context, origin } = click;
    await services.answers.reply(recipientOf(context.person, origin, action.inPlace === true), () =>
      errorBoundary(services, attemptOf(click), async () => {
        await services.authorize(context.person);
        return action.run(context);
      }),
    );
    if (origin.home === true) await services.home?.refresh(context.person);
  });
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
