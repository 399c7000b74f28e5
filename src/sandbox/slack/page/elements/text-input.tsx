import { type Json, objectOf, stringOf, stringsOf } from '../json.ts';
import { parseRichText, plainTextOf } from '../text/rich-text.ts';
import { dateContext } from '../context.ts';
import { controlAttributes, type ElementProps, placeholderOf, useField } from './field.ts';

/** Which keyboard a phone shows. */
const keyboards = {
  email_text_input: 'email',
  url_text_input: 'url',
  number_input: 'decimal',
} as const;

/** `plain_text_input`, `number_input`, `email_text_input` and `url_text_input`. */
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

/** A rich text field; what is typed here becomes one section of plain text. */
export function RichTextInput(props: ElementProps) {
  const { state, hold } = useField(props);
  const held = parseRichText(state.rich_text_value?.['elements'], dateContext());
  const text = held
    .flatMap((block) => (block.type === 'paragraph' ? block.children.map(plainTextOf) : []))
    .join('');
  const enter = (value: string): void => {
    const section = { type: 'rich_text_section', elements: [{ type: 'text', text: value }] };
    hold({
      type: 'rich_text_input',
      ...(value === '' ? {} : { rich_text_value: { type: 'rich_text', elements: [section] } }),
    });
  };
  return (
    <textarea
      {...controlAttributes(props)}
      class="text-input"
      rows={4}
      placeholder={placeholderOf(props.element)}
      value={text}
      onInput={(event) => enter(event.currentTarget.value)}
    />
  );
}
