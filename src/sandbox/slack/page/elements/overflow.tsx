import { useRef, useState } from 'preact/hooks';

import { asOption } from '../input-state.ts';
import { type Json, objectOf, objectsOf, stringOf } from '../json.ts';
import { safeUrl } from '../text/inline.ts';
import { PlainText } from '../text/text.tsx';
import { type ElementProps, useField } from './field.ts';
import { useOutside, usePopover } from './popover.ts';

/** The three dots with a menu of up to five entries. */
export function Overflow(props: ElementProps) {
  const { press } = useField(props);
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const position = usePopover(root, open, 240);
  useOutside(root, open, () => setOpen(false));

  const choose = (option: Json): void => {
    setOpen(false);
    const url = safeUrl(stringOf(option['url']));
    if (url !== undefined) window.open(url, '_blank', 'noreferrer');
    void press({ type: 'overflow', selected_option: asOption(option) });
  };
  return (
    <div
      class="overflow"
      ref={root}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        event.preventDefault();
        setOpen(false);
      }}
    >
      <button
        type="button"
        class="button"
        aria-label="More actions"
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        ⋯
      </button>
      {open && (
        <div class="menu" role="menu" style={position}>
          {objectsOf(props.element['options']).map((option, index) => (
            <button
              key={index}
              type="button"
              role="menuitem"
              class="menu-item"
              onClick={() => choose(option)}
            >
              <PlainText text={stringOf(objectOf(option['text'])['text'])} />
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
