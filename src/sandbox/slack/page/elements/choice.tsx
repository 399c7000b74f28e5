import { useId } from 'preact/hooks';

import { asOption } from '../input-state.ts';
import { isObject, type Json, objectOf, objectsOf, stringOf } from '../json.ts';
import { TextObject } from '../text/text.tsx';
import { type ElementProps, nameOf, useField } from './field.ts';

export function Checkboxes(props: ElementProps) {
  const { state, change } = useField(props);
  const selected = state.selected_options ?? [];
  const toggle = (option: Json, checked: boolean): void => {
    const rest = selected.filter((each) => each.value !== option['value']);
    change({
      type: 'checkboxes',
      selected_options: checked ? [...rest, asOption(option)] : rest,
    });
  };
  return (
    <Choices
      {...props}
      kind="checkbox"
      isChecked={(option) => selected.some((each) => each.value === option['value'])}
      onToggle={toggle}
    />
  );
}

export function RadioButtons(props: ElementProps) {
  const { state, change } = useField(props);
  return (
    <Choices
      {...props}
      kind="radio"
      isChecked={(option) => state.selected_option?.value === option['value']}
      onToggle={(option) => change({ type: 'radio_buttons', selected_option: asOption(option) })}
    />
  );
}

type ChoicesProps = ElementProps & {
  readonly kind: 'checkbox' | 'radio';
  readonly isChecked: (option: Json) => boolean;
  readonly onToggle: (option: Json, checked: boolean) => void;
};

function Choices({ kind, isChecked, onToggle, ...props }: ChoicesProps) {
  const name = useId();
  return (
    <div
      class="choices"
      role={kind === 'radio' ? 'radiogroup' : 'group'}
      aria-label={nameOf(props)}
    >
      {objectsOf(props.element['options']).map((option) => (
        <label key={stringOf(option['value'])} class="choice">
          <input
            type={kind}
            name={name}
            checked={isChecked(option)}
            onChange={(event) => onToggle(option, event.currentTarget.checked)}
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
