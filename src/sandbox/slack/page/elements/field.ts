import type { ElementState } from '../../page-protocol.ts';
import { useSurface } from '../blocks/surface.tsx';
import { initialState } from '../input-state.ts';
import { isObject, type Json, objectOf, stringOf } from '../json.ts';
import { useConfirm } from './confirm.tsx';

/** The place of an element and its name there. */
export type ElementProps = {
  readonly blockId: string;
  readonly element: Json;
  /** The words beside the element; its accessible name where it has none of its own. */
  readonly label?: string;
  /** The id that the label of an input block points to. */
  readonly id?: string;
  /** False inside an input block that does not dispatch: changes are held, not sent. */
  readonly acts?: boolean;
  readonly describedBy?: string;
  readonly invalid?: boolean;
};

/** The value of an element, and its setter. */
export function useField({ blockId, element, acts = true }: ElementProps) {
  const { values, set, act } = useSurface();
  const confirm = useConfirm();
  const actionId = stringOf(element['action_id']);
  const state: ElementState = values[blockId]?.[actionId] ?? initialState(element);

  const allowed = async (): Promise<boolean> =>
    !isObject(element['confirm']) || confirm(element['confirm']);
  const send = async (next: ElementState): Promise<void> => {
    if (await allowed()) await act(blockId, actionId, next);
    else set(blockId, actionId, state);
  };
  return {
    state,
    /** Holds a value without sending it to the bot. */
    hold: (next: ElementState): void => set(blockId, actionId, next),
    /** Holds a value and sends it to the bot where the block says so; a refused question takes it back. */
    change: (next: ElementState): void => {
      set(blockId, actionId, next);
      if (acts) void send(next);
    },
    /** Sends the bot the action of an element that holds nothing, after the bot's question if it has one. */
    press: async (next: ElementState): Promise<void> => {
      if (await allowed()) await act(blockId, actionId, next);
    },
  };
}

/** The accessible name: the element's own, else its placeholder, else the words beside it. */
export function nameOf({ element, label }: ElementProps): string {
  return (
    stringOf(element['accessibility_label']) || (label ?? '') || placeholderOf(element) || 'Field'
  );
}

export function placeholderOf(element: Json): string {
  return stringOf(objectOf(element['placeholder'])['text']);
}

/** The attributes that tie a control to its label, hint and error. */
export function controlAttributes(props: ElementProps) {
  return {
    'aria-invalid': props.invalid === true,
    ...(props.id === undefined ? { 'aria-label': nameOf(props) } : { id: props.id }),
    ...(props.describedBy === undefined ? {} : { 'aria-describedby': props.describedBy }),
    ...(props.element['focus_on_load'] === true ? { 'data-autofocus': true } : {}),
  };
}
