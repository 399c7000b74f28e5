import type {
  App,
  Middleware,
  SlackActionMiddlewareArgs,
  SlackCommandMiddlewareArgs,
  SlackViewMiddlewareArgs,
} from '@slack/bolt';
import { menuValueOf } from '../kit/blocks.ts';

type Pattern = string | RegExp;
type OnCommand = Middleware<SlackCommandMiddlewareArgs>;
type OnAction = Middleware<SlackActionMiddlewareArgs>;
type OnView = Middleware<SlackViewMiddlewareArgs>;

export interface Listeners {
  command(name: string, listener: OnCommand): void;
  /** Listens to clicks; with a callback id, only to those in its modal. */
  action(place: Pattern | { action_id: Pattern; callback_id: string }, listener: OnAction): void;
  view(callbackId: string, listener: OnView): void;
  event: App['event'];
}

/** Matches every id: Bolt sends all requests of a kind to one listener. */
const ANY = /^/;

/**
 * One listener for each kind of request, which looks up the handler of the id. Bolt itself runs the filters of every
 * listener for every request, each with copies of all its arguments: with the hundred buttons of the features, that was
 * half of the processor time of a command.
 */
export function createListeners(app: App): Listeners {
  const commands = new Map<string, OnCommand>();
  const views = new Map<string, OnView>();
  const actions: { matches: (id: string, callbackId: unknown) => boolean; listener: OnAction }[] =
    [];
  app.command(ANY, async (args) => commands.get(args.command.command)?.(args));
  app.view(ANY, async (args) => views.get(args.view.callback_id)?.(args));
  app.action(ANY, async (args) => {
    const { payload, body } = args;
    const menu = menuValueOf(payload);
    // A choice in a menu is a click on the button that does the same. All listeners read this very object.
    if (menu !== undefined && 'selected_option' in payload) {
      const { value: action_id } = payload.selected_option ?? {};
      Object.assign(payload, { action_id, value: menu.value, selected_option: undefined });
    }
    const id = 'action_id' in payload ? payload.action_id : '';
    const callbackId = 'view' in body ? body.view?.callback_id : undefined;
    const found = actions.filter(({ matches }) => matches(id, callbackId));
    await Promise.all(found.map(({ listener }) => listener(args)));
  });
  return {
    command: (name, listener) => void commands.set(name, listener),
    view: (callbackId, listener) => void views.set(callbackId, listener),
    action(place, listener) {
      const isPlace = typeof place === 'object' && 'action_id' in place;
      const [pattern, form] = isPlace ? [place.action_id, place.callback_id] : [place, undefined];
      const isId = (id: string): boolean =>
        typeof pattern === 'string' ? pattern === id : pattern.test(id);
      const matches = (id: string, callbackId: unknown): boolean =>
        (form === undefined || form === callbackId) && isId(id);
      actions.push({ matches, listener });
    },
    event: app.event.bind(app),
  };
}
