import { useId } from 'preact/hooks';

import { asOption } from '../input-state.ts';
import { isObject, type Json, objectOf, objectsOf, stringOf } from '../json.ts';
import { TextObject } from '../text/text.tsx';
import { type ElementProps, nameOf, useField } from './field.ts';

export function Checkboxes(props: ElementProps) {
  const { state, change } = useField(props);
  const name = useId();
  const selected = state.selected_options ?? [];
  const toggle = (option: Json, checked: boolean): void => {
    const rest = selected.filter((each) => each.value !== option['value']);
    change({
      type: 'checkboxes',
      selected_options: checked ? [...rest, asOption(option)] : rest,
    });
  };
  return (
    <div class="choices" role="group" aria-label={nameOf(props)}>
      {objectsOf(props.element['options']).map((option) => (
        <label key={stringOf(option['value'])} class="choice">
          <input
            type="checkbox"
            name={name}
            checked={selected.some((each) => each.value === option['value'])}
            onChange={(event) => toggle(option, event.currentTarget.checked)}
          />
          <span>
            <TextObject text={objectOf(option['text'])} />
            {isObject(option['description']) && (
              <small>
                <TextObject text={option['description']} />
              </small>
            )}
          </span>
        </label>
      ))}
    </div>
  );
}
