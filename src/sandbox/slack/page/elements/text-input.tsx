import { type Json, objectOf, stringOf, stringsOf } from '../json.ts';
import { controlAttributes, type ElementProps, placeholderOf, useField } from './field.ts';

/** Which keyboard a phone shows. */
const keyboards = {
  email_text_input: 'email',
  number_input: 'decimal',
} as const;

/** `plain_text_input`, `number_input` and `email_text_input`. */
export function TextInput(props: ElementProps) {
  const { element } = props;
  const { state, hold, change } = useField(props);
  const type = stringOf(element['type']);
  const when = stringsOf(objectOf(element['dispatch_action_config'])['trigger_actions_on']);
  const next = (text: string) => ({ type, value: text === '' ? null : text });
  const enter = (text: string): void => {
    if (when.includes('on_character_entered')) change(next(text));
    else hold(next(text));
  };
  const onEnter = (event: KeyboardEvent): void => {
    const acts = props.acts === true && (when.length === 0 || when.includes('on_enter_pressed'));
    if (event.key !== 'Enter' || event.isComposing || !acts) return;
    event.preventDefault();
    change(state);
  };
  const shared = {
    ...controlAttributes(props),
    class: 'text-input',
    placeholder: placeholderOf(element),
    value: state.value ?? '',
    ...maxLength(element),
  };
  return element['multiline'] === true ? (
    <textarea {...shared} rows={5} onInput={(event) => enter(event.currentTarget.value)} />
  ) : (
    <input
      {...shared}
      type="text"
      inputMode={type in keyboards ? keyboards[type as keyof typeof keyboards] : 'text'}
      onInput={(event) => enter(event.currentTarget.value)}
      onKeyDown={onEnter}
    />
  );
}

function maxLength(element: Json): { maxLength?: number } {
  const { max_length: limit } = element;
  return typeof limit === 'number' ? { maxLength: limit } : {};
}
