import { nearest } from '../lib/nearest.ts';
import { Unreadable } from '../lib/refusal.ts';
import { splitWords } from '../lib/words.ts';
import type { Word } from '../lib/words.ts';
import { SHARE_ACTION } from './answers.ts';
import { askedBy, askerOf, readClick } from './click.ts';
import { openForm, routeForm } from './form-routes.ts';
import type { FormDeps } from './form-routes.ts';
import { guarded } from './guard.ts';
import { helpAnswer } from './help-view.ts';
import { routeHome } from './home-routes.ts';
import type { Home } from './home.ts';
import { LINK_ACTION } from './kit/index.ts';
import { actionPattern } from './layout.ts';
import { routeModal } from './modal-routes.ts';
import { routeReveal } from './reveal-routes.ts';
import type {
  ActionRoute,
  Answer,
  CommandContext,
  CommandRoute,
  FormRoute,
  ModalRoute,
  Opening,
  Person,
  RevealRoute,
} from './routes.ts';

/** A command; the one that knows all others answers `help` for them, with the words after it. */
export interface HelpingRoute extends CommandRoute {
  helpOn?: (words: readonly Word[]) => Answer;
}

export interface RouterDeps extends FormDeps {
  /** Whether a person has a right that an answer needs; none is needed for undefined. @throws Refusal */
  allow: (person: Person, needs: string | undefined) => Promise<void>;
  /** Absent: there is no home tab. */
  home?: Home;
}

/** Connects what people type, click and fill in with what the features do. */
export function route(
  deps: RouterDeps,
  commands: readonly HelpingRoute[],
  actions: readonly ActionRoute[],
  modals: readonly ModalRoute[] = [],
  forms: readonly FormRoute[] = [],
  reveals: readonly RevealRoute[] = [],
): void {
  for (const command of commands) routeCommand(deps, command);
  for (const action of actions) routeAction(deps, action);
  for (const modal of modals) routeModal(deps, modal);
  for (const form of forms) routeForm(deps, form);
  for (const reveal of reveals) routeReveal(deps, reveal);
  if (deps.home !== undefined) routeHome({ app: deps.app, home: deps.home });
  deps.app.action(SHARE_ACTION, async ({ ack, body }) => {
    await ack();
    if (body.type !== 'block_actions') return;
    const click = readClick(body);
    const { context, origin } = click;
    const { person, value } = context;
    await deps.answers.share(askerOf(person, origin, true), value, async ({ needs }) => {
      const { answer: no } = await guarded(deps, askedBy(click), async () => {
        await deps.admit(person);
        await deps.allow(person, needs);
        return undefined;
      });
      return no;
    });
  });
  // Slack tells of these clicks, too, and marks the button when nobody answers.
  deps.app.action(actionPattern(LINK_ACTION), ({ ack }) => ack());
}

function routeCommand(deps: RouterDeps, command: HelpingRoute): void {
  deps.app.command(command.help.command, async ({ ack, body }) => {
    await ack();
    const person = { userId: body.user_id, teamId: body.team_id };
    const { channel_id: channelId, response_url: responseUrl, trigger_id: triggerId } = body;
    const typed = read(command, body.text);
    if ('opening' in typed) {
      const { form, value } = typed.opening;
      const context = { person, channelId, value };
      return openForm(deps, form, {
        context,
        triggerId,
        origin: { responseUrl, replaceable: false },
        what: form.actionId,
      });
    }
    await deps.answers.reply({ userId: person.userId, responseUrl }, () =>
      guarded(
        deps,
        { userId: person.userId, what: command.help.command },
        () => answerTyped(deps, command, typed, { person, channelId }),
        command.help,
      ),
    );
  });
}

function routeAction(deps: RouterDeps, action: ActionRoute): void {
  deps.app.action(actionPattern(action.actionId), async ({ ack, body }) => {
    await ack();
    if (body.type !== 'block_actions') return;
    const click = readClick(body);
    const { context, origin } = click;
    await deps.answers.reply(askerOf(context.person, origin, action.inPlace === true), () =>
      guarded(deps, askedBy(click), async () => {
        await deps.admit(context.person);
        return action.run(context);
      }),
    );
    if (origin.home === true) await deps.home?.refresh(context.person);
  });
}

/** What was typed after a command: something that has its answer already, or opens a form, or has to be run. */
type Typed =
  { help: Answer } | { unreadable: unknown } | { opening: Opening } | { words: readonly Word[] };

/** Quick, and never throws: a form has to be opened while its trigger lives. */
function read(command: HelpingRoute, text = ''): Typed {
  const split = splitWords(text);
  if ('problem' in split) return { unreadable: new Unreadable(split.problem) };
  const { words } = split;
  const [first, ...rest] = words;
  try {
    if (first !== undefined && isHelp(first)) {
      return { help: command.helpOn?.(rest) ?? helpAnswer(command.help) };
    }
    const opening = command.opens?.(words);
    return opening === undefined ? { words } : { opening };
  } catch (error) {
    return { unreadable: withHelp(error, first, command) };
  }
}

async function answerTyped(
  deps: RouterDeps,
  command: HelpingRoute,
  typed: Exclude<Typed, { opening: Opening }>,
  context: Omit<CommandContext, 'words'>,
): Promise<Answer> {
  if ('help' in typed) return typed.help;
  if ('unreadable' in typed) throw typed.unreadable;
  await deps.admit(context.person);
  try {
    return await command.run({ ...context, words: typed.words });
  } catch (error) {
    throw withHelp(error, typed.words[0], command);
  }
}

/** The last one is what telephones make of the one before. */
const HELP_WORDS = new Set(['help', '?', '-h', '--help', '—help']);

function isHelp({ text, quoted }: Word): boolean {
  return !quoted && HELP_WORDS.has(text.toLowerCase());
}

/** Who mistyped `help` is shown the way there, unless the feature knows something nearer. */
function withHelp(error: unknown, first: Word | undefined, { help }: HelpingRoute): unknown {
  const isOpen = error instanceof Unreadable && error.suggestion === undefined;
  if (!isOpen || first === undefined || first.quoted) return error;
  if (nearest(first.text, ['help']) === undefined) return error;
  return new Unreadable(error.message, `${help.command} help`);
}
