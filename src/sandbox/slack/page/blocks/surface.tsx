import { type ComponentChildren, createContext } from 'preact';
import { useContext, useMemo, useRef, useState } from 'preact/hooks';

import type { Container, ElementState, StateValues } from '../../page-protocol.ts';
import { useWorkspace } from '../context.ts';
import { stateValues } from '../input-state.ts';
import type { Json } from '../json.ts';
import type { FieldErrors } from '../model.ts';

/** The state that the elements of one message or view share: their values, and the target of actions. */
export type Surface = {
  readonly container: Container;
  readonly values: StateValues;
  readonly errors: FieldErrors;
  readonly set: (blockId: string, actionId: string, state: ElementState) => void;
  /** Sends a `block_actions`; resolves when the bot has taken it. */
  readonly act: (blockId: string, actionId: string, state: ElementState) => Promise<boolean>;
};

const SurfaceContext = createContext<Surface | null>(null);

export function useSurface(): Surface {
  const surface = useContext(SurfaceContext);
  if (surface === null) throw new Error('no message or view around this element');
  return surface;
}

type Props = {
  readonly container: Container;
  readonly blocks: readonly Json[];
  readonly errors?: FieldErrors;
  /** Gets the values of the inputs after every change, for the submit button outside. */
  readonly onValues?: (values: StateValues) => void;
  readonly children: ComponentChildren;
};

const noErrors: FieldErrors = {};

/** Keeps what a person enters while the bot redraws the blocks, by block_id and action_id. */
export function SurfaceProvider({ container, blocks, errors, onValues, children }: Props) {
  const workspace = useWorkspace();
  const [edits, setEdits] = useState<StateValues>({});
  const latest = useRef(edits);
  const values = useMemo(() => stateValues(blocks, edits), [blocks, edits]);
  onValues?.(values);

  const set = (blockId: string, actionId: string, state: ElementState): void => {
    const block = { ...latest.current[blockId], [actionId]: state };
    latest.current = { ...latest.current, [blockId]: block };
    setEdits(latest.current);
  };
  const act = (blockId: string, actionId: string, element: ElementState): Promise<boolean> =>
    workspace.act({
      container,
      block_id: blockId,
      action_id: actionId,
      element,
      state: stateValues(blocks, latest.current),
    });

  return (
    <SurfaceContext.Provider value={{ container, values, errors: errors ?? noErrors, set, act }}>
      {children}
    </SurfaceContext.Provider>
  );
}
