import { useId, useRef, useState } from 'preact/hooks';

import { PlainText } from '../text/text.tsx';
import { useOutside, usePopover } from './popover.ts';

/** One entry of a list; `key` distinguishes entries. */
export type Choice = {
  readonly key: string;
  readonly text: string;
  readonly description?: string;
  /** The heading above the entry. */
  readonly group?: string;
};

type Props = {
  readonly choices: readonly Choice[];
  readonly selected: readonly Choice[];
  readonly multiple: boolean;
  readonly placeholder: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Gets every selection as a whole. */
  readonly onSelect: (choices: readonly Choice[]) => void;
};

/** A list that is searched by typing, for one selection or several. */
export function Combobox(props: Props) {
  const { selected, multiple, onSelect } = props;
  const list = useList(props);
  const root = useRef<HTMLDivElement>(null);
  const listId = useId();
  const position = usePopover(root, list.open);
  useOutside(root, list.open, list.close);
  const single = multiple ? '' : (selected[0]?.text ?? '');
  const activeId =
    list.open && list.active !== undefined ? { 'aria-activedescendant': `${listId}-active` } : {};

  return (
    <div class={`combobox${multiple ? ' multiple' : ''}`} ref={root}>
      {multiple && <Chips selected={selected} onSelect={onSelect} />}
      <input
        {...props.attributes}
        class="text-input"
        role="combobox"
        autocomplete="off"
        aria-expanded={list.open}
        {...(list.open && { 'aria-controls': listId })}
        aria-autocomplete="list"
        {...activeId}
        placeholder={selected.length === 0 ? props.placeholder : list.open ? single : ''}
        value={list.open ? list.query : single}
        onClick={list.show}
        onInput={(event) => list.type(event.currentTarget.value)}
        onKeyDown={list.onKeyDown}
      />
      {list.open && (
        <ul
          id={listId}
          class="menu"
          role="listbox"
          aria-multiselectable={multiple}
          style={position}
        >
          {list.shown.map((choice, index) => (
            <Option
              key={choice.key}
              choice={choice}
              heading={list.shown[index - 1]?.group === choice.group ? undefined : choice.group}
              isSelected={selected.some((each) => each.key === choice.key)}
              {...(choice === list.active ? { activeId: `${listId}-active` } : {})}
              onPick={() => list.pick(choice)}
            />
          ))}
          {list.shown.length === 0 && (
            <li class="menu-empty" role="presentation">
              No matches
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

/** The open list, the typed text and the active option. */
function useList({ choices, selected, multiple, onSelect }: Props) {
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const wanted = query.trim().toLowerCase();
  const matches = (choice: Choice): boolean => choice.text.toLowerCase().includes(wanted);
  const shown = choices.filter(matches);
  const active = shown[Math.min(at, shown.length - 1)];

  const type = (text: string): void => {
    setOpen(true);
    setQuery(text);
    setAt(0);
  };
  const show = (): void => {
    if (!open) type('');
  };
  const pick = (choice: Choice): void => {
    const without = selected.filter((each) => each.key !== choice.key);
    const removes = without.length < selected.length;
    onSelect(multiple ? [...without, ...(removes ? [] : [choice])] : [choice]);
    setQuery('');
    setOpen(multiple);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const handled = {
      ArrowDown: () => (open ? setAt(Math.min(at + 1, shown.length - 1)) : show()),
      ArrowUp: () => setAt(Math.max(0, at - 1)),
      Enter: () => (open && active !== undefined ? pick(active) : show()),
      Escape: open ? () => setOpen(false) : undefined,
    }[event.key];
    if (handled !== undefined) {
      event.preventDefault();
      handled();
    } else if (event.key === 'Tab') setOpen(false);
    else if (event.key === 'Backspace' && multiple && query === '') onSelect(selected.slice(0, -1));
  };
  return { open, query, shown, active, type, show, pick, onKeyDown, close: () => setOpen(false) };
}

type OptionProps = {
  readonly choice: Choice;
  readonly heading: string | undefined;
  readonly isSelected: boolean;
  /** Set on the entry that the keyboard points at. */
  readonly activeId?: string;
  readonly onPick: () => void;
};

function Option({ choice, heading, isSelected, activeId, onPick }: OptionProps) {
  return (
    <>
      {heading !== undefined && (
        <li class="menu-heading" role="presentation">
          {heading}
        </li>
      )}
      <li
        role="option"
        class={`menu-item${activeId === undefined ? '' : ' active'}`}
        aria-selected={isSelected}
        {...(activeId === undefined ? {} : { id: activeId })}
        onPointerDown={(event) => event.preventDefault()}
        onClick={onPick}
      >
        <PlainText text={choice.text} />
        {choice.description !== undefined && <small>{choice.description}</small>}
      </li>
    </>
  );
}

function Chips({ selected, onSelect }: Pick<Props, 'selected' | 'onSelect'>) {
  return (
    <>
      {selected.map((choice) => (
        <span key={choice.key} class="chip">
          <PlainText text={choice.text} />
          <button
            type="button"
            class="plain"
            aria-label={`Remove ${choice.text}`}
            onClick={() => onSelect(selected.filter((each) => each.key !== choice.key))}
          >
            ×
          </button>
        </span>
      ))}
    </>
  );
}
