import type { BlockAction } from '@slack/bolt';
import type { Asker, Clicked } from './answers.ts';
import type { Asked } from './guard.ts';
import { messageIdOf } from './layout.ts';
import type { ActionContext, Person } from './routes.ts';
import { valueOf } from './values.ts';

/** Somebody used a button or a select. */
export interface Click {
  context: ActionContext;
  triggerId: string;
  origin: Origin;
  /** The id of the button or the menu, or the command. */
  what: string;
}

/** Where a click came from, as far as an answer to it has to know; or a command that does what a click does. */
export interface Origin {
  responseUrl?: string;
  /** Absent for a command. */
  clicked?: Clicked;
  /** On the home tab, which shows the same things as before until it is drawn anew. */
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

/** What somebody wants by a click. */
export function askedBy({ context, what }: Click): Asked {
  return { userId: context.person.userId, what, value: context.value };
}

/** The person behind a click, as they are answered. */
export function askerOf({ userId }: Person, origin: Origin, inPlace: boolean): Asker {
  return {
    userId,
    responseUrl: origin.responseUrl,
    ...(origin.clicked === undefined ? {} : { clicked: origin.clicked }),
    inPlace: inPlace && origin.replaceable,
  };
}
