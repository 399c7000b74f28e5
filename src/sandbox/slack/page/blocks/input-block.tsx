import { useId } from 'preact/hooks';

import { Element } from '../elements/element.tsx';
import { isObject, type Json, objectOf, stringOf } from '../json.ts';
import { TextObject } from '../text/text.tsx';
import { useSurface } from './surface.tsx';

/** A labelled field with its hint, and the bot's error under it. */
export function InputBlock({ block }: { block: Json }) {
  const { errors } = useSurface();
  const id = useId();
  const blockId = stringOf(block['block_id']);
  const element = objectOf(block['element']);
  const error = errors[blockId];
  const label = objectOf(block['label']);
  // A group of controls is named by its label rather than tied to it.
  const isGroup = element['type'] === 'checkboxes';
  const words = (
    <>
      <TextObject text={label} />
      {block['optional'] === true && <span class="optional"> (optional)</span>}
    </>
  );
  return (
    <div
      class={`block-input${error === undefined ? '' : ' invalid'}`}
      {...(isGroup ? { role: 'group', 'aria-labelledby': `${id}-label` } : {})}
    >
      {isGroup ? (
        <div class="label" id={`${id}-label`}>
          {words}
        </div>
      ) : (
        <label class="label" for={id}>
          {words}
        </label>
      )}
      <Element
        blockId={blockId}
        element={element}
        label={stringOf(label['text'])}
        id={id}
        acts={block['dispatch_action'] === true}
        describedBy={`${id}-hint ${id}-error`}
        invalid={error !== undefined}
      />
      {error !== undefined && (
        <div class="field-error" id={`${id}-error`} role="alert">
          {error}
        </div>
      )}
      {isObject(block['hint']) && (
        <div class="hint" id={`${id}-hint`}>
          <TextObject text={block['hint']} />
        </div>
      )}
    </div>
  );
}
