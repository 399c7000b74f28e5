import { createContext } from 'preact';
import { useContext, useEffect, useReducer, useRef } from 'preact/hooks';

import type { Bootstrap, PageUser } from '../page-protocol.ts';
import type { Model } from './model.ts';
import type { DateContext } from './text/date-token.ts';
import type { Workspace } from './workspace.ts';

const WorkspaceContext = createContext<Workspace | null>(null);

export const WorkspaceProvider = WorkspaceContext.Provider;

/** The workspace that this part of the page belongs to. */
export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (workspace === null) throw new Error('no workspace around this component');
  return workspace;
}

/** A part of the model; the component is drawn again only when that part is another one. */
export function useSelected<T>(select: (model: Model) => T): T {
  const workspace = useWorkspace();
  const selected = select(workspace.model());
  const drawn = useRef({ select, selected });
  drawn.current = { select, selected };
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const compare = (): void => {
      const { select, selected } = drawn.current;
      if (!Object.is(select(workspace.model()), selected)) redraw(undefined);
    };
    compare();
    return workspace.subscribe(compare);
  }, [workspace]);
  return selected;
}

export const useModel = (): Model => useSelected((model) => model);

export const useBoot = (): Bootstrap => useSelected((model) => model.boot);

/** The reader's time zone and present. */
export function dateContext(): DateContext {
  return {
    nowSeconds: Date.now() / 1000,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

export function findUser(boot: Bootstrap, id: string): PageUser | undefined {
  return boot.users.find((user) => user.id === id);
}

/** The name beside a person's messages. */
export function displayName(user: PageUser): string {
  return user.real_name === '' ? user.name : user.real_name;
}
