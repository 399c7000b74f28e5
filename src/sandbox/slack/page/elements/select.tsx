import type { OptionObject } from '../../page-protocol.ts';
import { asOption } from '../input-state.ts';
import { objectOf, objectsOf, stringOf } from '../json.ts';
import { type Choice, Combobox } from './combobox.tsx';
import { controlAttributes, type ElementProps, placeholderOf, useField } from './field.ts';

/** An entry that remembers the option object it stands for. */
type OptionChoice = Choice & { readonly option: OptionObject };

/** `static_select` and `multi_static_select`, with or without groups. */
export function StaticSelect(props: ElementProps) {
  const { element } = props;
  const groups = objectsOf(element['option_groups']);
  const choices =
    groups.length > 0
      ? groups.flatMap((group) =>
          optionChoices(group['options'], stringOf(objectOf(group['label'])['text'])),
        )
      : optionChoices(element['options']);
  const { state, change } = useField(props);
  const type = stringOf(props.element['type']);
  const multiple = type.startsWith('multi_');
  const held = multiple ? state.selected_options : state.selected_option && [state.selected_option];
  const selected = optionChoices(held ?? []);
  const select = (picked: readonly Choice[]): void => {
    const known = [...choices, ...selected];
    const options = picked.flatMap(
      ({ key }) => known.find((choice) => choice.key === key)?.option ?? [],
    );
    change(
      multiple
        ? { type, selected_options: options }
        : { type, selected_option: options[0] ?? null },
    );
  };
  return (
    <Combobox
      choices={choices}
      selected={selected}
      multiple={multiple}
      placeholder={placeholderOf(props.element) || 'Select an item'}
      attributes={controlAttributes(props)}
      onSelect={select}
    />
  );
}

/** Option objects as entries of a list. */
function optionChoices(options: unknown, group?: string): OptionChoice[] {
  return objectsOf(options).map((option) => {
    const description = stringOf(objectOf(option['description'])['text']);
    return {
      key: stringOf(option['value']),
      text: stringOf(objectOf(option['text'])['text']),
      option: asOption(option),
      ...(description === '' ? {} : { description }),
      ...(group === undefined ? {} : { group }),
    };
  });
}
