import type { BlockAction } from '@slack/bolt';
import type { Clicked, Recipient } from '../replies/answers.ts';
import { messageIdOf } from '../replies/layout.ts';
import type { ActionContext, Attempt, FormValues, Person } from './routes.ts';

/** A person used a button or a select. */
export interface Click {
  context: ActionContext;
  triggerId: string;
  origin: Origin;
  /** The id of the button or the menu, or the command. */
  what: string;
}

/** Where a click came from, for the answer to it; or a command that opens a form as a click does. */
export interface Origin {
  responseUrl?: string;
  /** Absent for a command. */
  clicked?: Clicked;
  /** On the home tab, which has to be refreshed after it. */
  home?: true;
  /** An answer may take the place of the message: only the person who clicked sees it. */
  replaceable: boolean;
}

export function readClick(body: BlockAction): Click {
  const [action] = body.actions;
  const value = valueOf(action);
  const channelId = body.channel?.id;
  const messageId = messageIdOf(action?.block_id);
  const isPrivate: unknown = body.container['is_ephemeral'];
  const lasting = isPrivate === false;
  const isDirect = channelId?.startsWith('D') === true;
  const replaceable = isPrivate === true || (messageId !== undefined && (!lasting || isDirect));
  return {
    context: {
      person: personOf(body),
      channelId,
      value: typeof value === 'string' ? value : undefined,
    },
    triggerId: body.trigger_id,
    what: action === undefined ? '' : action.action_id.replace(/#\d+$/, ''),
    origin: {
      ...(body.response_url === undefined ? {} : { responseUrl: body.response_url }),
      clicked: { messageId, lasting },
      ...(body.view?.type === 'home' ? { home: true } : {}),
      replaceable,
    },
  };
}

/** Who did something, of the body of any interaction. */
export function personOf(body: {
  user: { id: string; team_id?: string };
  team: { id: string } | null;
}): Person {
  return { userId: body.user.id, teamId: body.user.team_id ?? body.team?.id ?? '' };
}

/** What a person tried to do by a click. */
export function attemptOf({ context, what }: Click): Attempt {
  return { userId: context.person.userId, what, value: context.value };
}

/** The person behind a click, as they are answered. */
export function recipientOf({ userId }: Person, origin: Origin, inPlace: boolean): Recipient {
  return {
    userId,
    responseUrl: origin.responseUrl,
    ...(origin.clicked === undefined ? {} : { clicked: origin.clicked }),
    inPlace: inPlace && origin.replaceable,
  };
}

/** An element's value as Slack sends it; every member may be absent. */
type ElementState = Readonly<Record<string, unknown>>;

/**
 * The value of a clicked or filled-in element: what was typed, the value of an option, a date, a
 * person; several of them as a list, of files their ids; undefined for nothing.
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

/** What was filled into a view, by block id. @param values `view.state.values` */
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

function asObject(value: unknown): ElementState {
  return typeof value === 'object' && value !== null ? (value as ElementState) : {};
}
