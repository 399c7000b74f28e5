import { asText, objectsOf, type Block, type Json } from './json.ts';
import type { Clock, Ids } from './ids.ts';
import type { State } from './element-state.ts';
import { LIMITS } from './limits.ts';
import { fillBlocks } from './fill-blocks.ts';

export interface View {
  readonly id: string;
  readonly type: 'modal' | 'home';
  readonly user: string;
  readonly rootId: string;
  readonly previousId: string | null;
  /** As the bot sent it, without `blocks`. */
  frame: Json;
  blocks: readonly Block[];
  hash: string;
  state: State;
}

export type ViewCause = 'opened' | 'pushed' | 'updated' | 'closed';

export interface Views {
  /** Lowest first. */
  stack(user: string): readonly View[];
  home(user: string): View | undefined;
  find(id: string): View | undefined;
  findExternal(externalId: string): View | undefined;
  /** Replaces whatever the person had open. */
  open(user: string, view: Json): View;
  /** `undefined` when the stack is full. */
  push(user: string, view: Json): View | undefined;
  update(view: View, next: Json): void;
  /** Removes the view and, with `clear`, all others. Returns the removed views, top first. */
  close(view: View, clear: boolean): View[];
  publish(user: string, view: Json): View;
  /** The person's page starts anew: modals do not outlive it. */
  forget(user: string): void;
}

/** Makes views out of what the bot sends. */
function createViewMaker({ clock, ids }: { clock: Clock; ids: Ids }) {
  const content = (source: Json): Pick<View, 'frame' | 'blocks' | 'hash'> => {
    const { blocks, ...frame } = source;
    const hash = `${Math.floor(clock.now() / 1000)}.${ids.next('H')}`;
    return { frame, blocks: fillBlocks(objectsOf(blocks), ids), hash };
  };
  const create = (user: string, source: Json, previous?: View): View => {
    const id = ids.next('V');
    return {
      id,
      type: source['type'] === 'home' ? 'home' : 'modal',
      user,
      rootId: previous?.rootId ?? id,
      previousId: previous?.id ?? null,
      ...content(source),
      state: {},
    };
  };
  return { content, create };
}

/** The modals that each person has open, and their home tabs. */
export function createViews(deps: {
  clock: Clock;
  ids: Ids;
  readonly onStack: (cause: ViewCause, view: View, stack: readonly View[]) => void;
  readonly onHome: (view: View) => void;
}): Views {
  const { onStack, onHome } = deps;
  const { content, create } = createViewMaker(deps);
  const stacks = new Map<string, View[]>();
  const homes = new Map<string, View>();
  const stack = (user: string): View[] => stacks.get(user) ?? [];
  const every = () => [...[...stacks.values()].flat(), ...homes.values()];
  return {
    stack,
    home: (user) => homes.get(user),
    find: (id) => every().find((view) => view.id === id),
    findExternal: (externalId) =>
      every().find((view) => asText(view.frame['external_id']) === externalId),
    open(user, source) {
      const view = create(user, source);
      stacks.set(user, [view]);
      onStack('opened', view, [view]);
      return view;
    },
    push(user, source) {
      const below = stack(user);
      if (below.length >= LIMITS.view.stack) return undefined;
      const view = create(user, source, below.at(-1));
      stacks.set(user, [...below, view]);
      onStack('pushed', view, stack(user));
      return view;
    },
    update(view, next) {
      Object.assign(view, content(next));
      if (view.type === 'home') onHome(view);
      else onStack('updated', view, stack(view.user));
    },
    close(view, clear) {
      const open = stack(view.user);
      const left = clear ? [] : open.slice(0, Math.max(0, open.indexOf(view)));
      stacks.set(view.user, left);
      onStack('closed', view, left);
      return open.slice(left.length).toReversed();
    },
    forget: (user) => void stacks.delete(user),
    publish(user, source) {
      const known = homes.get(user);
      const view = known ?? create(user, source);
      if (known) Object.assign(known, content(source));
      homes.set(user, view);
      onHome(view);
      return view;
    },
  };
}
