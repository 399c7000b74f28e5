import type {
  App,
  BlockAction,
  Middleware,
  SlackViewMiddlewareArgs,
  SlashCommand,
  ViewOutput,
  ViewSubmitAction,
} from '@slack/bolt';
import { LINK_ACTION, menuValueOf, messageIdOf } from '../kit/blocks.ts';
import type { Clicked, Recipient } from '../replies/answers.ts';
import type { ActionContext, Attempt, FormValues, Person } from './routes.ts';

/** A click; or a command that opens a form as a click does. */
export interface Click {
  context: ActionContext;
  triggerId: string;
  /** Metadata of the form in which it was: another form is pushed onto that one. */
  within?: string | undefined;
  recipient: Recipient;
  /** The id of the button or the menu, or the command. */
  what: string;
}

type OnCommand = (command: SlashCommand) => Promise<void>;
type OnClick = (click: Click, view: ViewOutput | undefined) => Promise<void>;
type OnForm = Middleware<SlackViewMiddlewareArgs<ViewSubmitAction>>;

export type Listeners = ReturnType<typeof createListeners>;

/** In the context of a click: why nothing is done for it, as a sentence. */
export const REFUSAL = 'refusal';

/** Messages stay in their channels for longer than a release runs. */
export const OLD_BUTTON =
  'This button is from another release of Purser: run its command again, or type /purser help.';

export const noCommand = (name: string): string =>
  `This release of Purser has no command ${name}: type /purser help.`;

/** Matches every id: Bolt sends all requests of a kind to one listener. */
const ANY = /^/;

/**
 * One listener for each kind of request, which acknowledges it and looks up the handler of the id. Bolt itself runs the
 * filters of every listener for every request, each with copies of all its arguments: with the hundred buttons of the
 * features, that was half of the processor time of a command.
 * @param mayGoOn counts commands and clicks, and answers those beyond the limit, and those with a refusal. Choices in an
 * open form are free, as submitting and closing it are.
 */
export function createListeners(
  app: App,
  mayGoOn: (recipient: Recipient, refusal?: string) => Promise<boolean>,
) {
  const commands = new Map<string, OnCommand>();
  const clicks = new Map<string, OnClick>();
  const forms = new Map<string, OnForm>();
  app.command(ANY, async ({ ack, command }) => {
    const listener = commands.get(command.command);
    if (listener === undefined) {
      return ack({ response_type: 'ephemeral', text: noCommand(command.command) });
    }
    await ack();
    const { user_id: userId, response_url: responseUrl } = command;
    if (await mayGoOn({ userId, responseUrl })) await listener(command);
  });
  app.view<ViewSubmitAction>(ANY, async (args) => forms.get(args.view.callback_id)?.(args));
  app.action<BlockAction>(ANY, async ({ ack, body, context }) => {
    const chosen = chosenIn(body.actions[0]);
    // Slack sends these clicks, too, and marks the button as failed unless they are acknowledged.
    if (chosen.what === LINK_ACTION) return ack();
    const field = clicks.get(fieldKey(chosen.what, body.view?.callback_id));
    const listener = field ?? clicks.get(chosen.what);
    const refusal = listener ? (context[REFUSAL] as string | undefined) : OLD_BUTTON;
    await ack();
    const click = readClick(body, chosen);
    const isFree = field !== undefined && refusal === undefined;
    if (isFree || (await mayGoOn(click.recipient, refusal))) await listener?.(click, body.view);
  });
  return {
    command: (name: string, listener: OnCommand) => void commands.set(name, listener),
    click: (actionId: string, listener: OnClick) => void clicks.set(actionId, listener),
    /** Choices in a field of the form with this callback id. */
    field: (fieldId: string, callbackId: string, listener: OnClick) =>
      void clicks.set(fieldKey(fieldId, callbackId), listener),
    form: (callbackId: string, listener: OnForm) => void forms.set(callbackId, listener),
    event: app.event.bind<App['event']>(app),
  };
}

function fieldKey(fieldId: string, callbackId: string | undefined): string {
  return `${callbackId} ${fieldId}`;
}

function readClick(body: BlockAction, { what, value }: ReturnType<typeof chosenIn>): Click {
  const channelId = body.channel?.id;
  const messageId = messageIdOf(body.actions[0]?.block_id);
  const isPrivate: unknown = body.container['is_ephemeral'];
  const lasting = isPrivate === false;
  const isDirect = channelId?.startsWith('D') === true;
  const person = personOf(body);
  return {
    context: { person, channelId, value, answerId: messageId },
    triggerId: body.trigger_id,
    within: body.view?.type === 'modal' ? body.view.private_metadata : undefined,
    what,
    recipient: {
      userId: person.userId,
      responseUrl: body.response_url,
      clicked: { messageId, lasting, thread: threadOf(body) },
      home: body.view?.type === 'home',
      replaceable: isPrivate === true || (messageId !== undefined && (!lasting || isDirect)),
    },
  };
}

/** The action of a clicked element. A choice in a menu is a click on the button that does the same. */
function chosenIn(element: unknown) {
  const found = valueOf(element);
  const value = typeof found === 'string' ? found : undefined;
  const menu = menuValueOf(asObject(element));
  if (menu !== undefined) return { what: value ?? '', value: menu.value };
  // An action with a number is the same action a second time in a row.
  const what = textOf(asObject(element)['action_id'])?.replace(/#\d+$/, '') ?? '';
  return { what, value };
}

/** Of the clicked message, if it is in a thread. */
function threadOf({ container, channel }: BlockAction): Clicked['thread'] {
  const threadTs: unknown = container['thread_ts'];
  if (typeof threadTs !== 'string' || channel === undefined) return undefined;
  return { channel: channel.id, threadTs };
}

export function personOf(body: {
  user: { id: string; team_id?: string };
  team: { id: string } | null;
}): Person {
  return { userId: body.user.id, teamId: body.user.team_id ?? body.team?.id ?? '' };
}

export function attemptOf({ context, what }: Click): Attempt {
  return { userId: context.person.userId, what, value: context.value };
}

/**
 * The value of a clicked or filled-in element: typed text, the value of an option, a date, a person; several of them as
 * a list, of files their ids; undefined when empty.
 */
export function valueOf(element: unknown): string | readonly string[] | undefined {
  const state = asObject(element);
  const several = state['selected_options'] ?? state['selected_users'];
  if (Array.isArray(several)) return several.flatMap((one) => textOf(one) ?? []);
  const { files } = state;
  if (Array.isArray(files)) return files.flatMap((file) => textOf(asObject(file)['id']) ?? []);
  const single =
    state['value'] ?? state['selected_option'] ?? state['selected_date'] ?? state['selected_user'];
  return textOf(single);
}

/** By block id. @param values `view.state.values` */
export function formValues(values: unknown): FormValues {
  return Object.fromEntries(
    Object.entries(asObject(values)).map(([blockId, actions]) => [
      blockId,
      valueOf(Object.values(asObject(actions))[0]),
    ]),
  );
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const { value: inOption } = asObject(value);
  return typeof inOption === 'string' ? inOption : undefined;
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
