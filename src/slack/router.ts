import { nearest } from '../lib/nearest.ts';
import { Unreadable } from '../lib/refusal.ts';
import { splitWords } from '../lib/words.ts';
import type { Word } from '../lib/words.ts';
import { SHARE_ACTION } from './answers.ts';
import { askerOf, readClick } from './click.ts';
import { routeForm } from './form-routes.ts';
import type { FormDeps } from './form-routes.ts';
import { guarded } from './guard.ts';
import { helpAnswer } from './help-view.ts';
import { LINK_ACTION } from './kit/index.ts';
import { actionPattern } from './layout.ts';
import { routeModal } from './modal-routes.ts';
import type { ActionRoute, Answer, CommandRoute, FormRoute, ModalRoute, Person } from './routes.ts';

/** A command; the one that knows all others answers `help` for them, with the words after it. */
export interface HelpingRoute extends CommandRoute {
  helpOn?: (words: readonly Word[]) => Answer;
}

export interface RouterDeps extends FormDeps {
  /** Whether a person has a right that an answer needs; none is needed for undefined. @throws Refusal */
  allow: (person: Person, needs: string | undefined) => Promise<void>;
}

/** Connects what people type, click and fill in with what the features do. */
export function route(
  deps: RouterDeps,
  commands: readonly HelpingRoute[],
  actions: readonly ActionRoute[],
  modals: readonly ModalRoute[] = [],
  forms: readonly FormRoute[] = [],
): void {
  for (const command of commands) routeCommand(deps, command);
  for (const action of actions) routeAction(deps, action);
  for (const modal of modals) routeModal(deps, modal);
  for (const form of forms) routeForm(deps, form);
  deps.app.action(SHARE_ACTION, async ({ ack, body }) => {
    await ack();
    if (body.type !== 'block_actions') return;
    const { context, origin } = readClick(body);
    const { person, value } = context;
    await deps.answers.share(askerOf(person, origin, true), value, async ({ needs }) => {
      const { answer: no } = await guarded(deps, undefined, async () => {
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
    await deps.answers.reply({ userId: person.userId, responseUrl: body.response_url }, () =>
      guarded(deps, command.help, () =>
        runCommand(deps, command, person, body.channel_id, body.text),
      ),
    );
  });
}

function routeAction(deps: RouterDeps, action: ActionRoute): void {
  deps.app.action(actionPattern(action.actionId), async ({ ack, body }) => {
    await ack();
    if (body.type !== 'block_actions') return;
    const { context, origin } = readClick(body);
    await deps.answers.reply(askerOf(context.person, origin, action.inPlace === true), () =>
      guarded(deps, undefined, async () => {
        await deps.admit(context.person);
        return action.run(context);
      }),
    );
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
  try {
    return await command.run({ person, channelId, words: split.words });
  } catch (error) {
    throw first === undefined ? error : withHelp(error, first, command.help.command);
  }
}

/** The last one is what telephones make of the one before. */
const HELP_WORDS = new Set(['help', '?', '-h', '--help', '—help']);

function isHelp({ text, quoted }: Word): boolean {
  return !quoted && HELP_WORDS.has(text.toLowerCase());
}

/** Who mistyped `help` is shown the way there, unless the feature knows something nearer. */
function withHelp(error: unknown, { text, quoted }: Word, command: string): unknown {
  const isOpen = error instanceof Unreadable && error.suggestion === undefined;
  if (!isOpen || quoted || nearest(text, ['help']) === undefined) return error;
  return new Unreadable(error.message, `${command} help`);
}
