import type { Bootstrap, ElementState, OptionObject } from '../../page-protocol.ts';
import { displayName, useBoot } from '../context.ts';
import { asOption } from '../input-state.ts';
import { type Json, objectOf, objectsOf, stringOf, stringsOf } from '../json.ts';
import { type Choice, Combobox } from './combobox.tsx';
import { controlAttributes, type ElementProps, placeholderOf, useField } from './field.ts';

/** An entry that remembers the option object it stands for. */
export type OptionChoice = Choice & { readonly option: OptionObject };

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
  return <OptionSelect {...props} choices={choices} />;
}

type OptionSelectProps = ElementProps & {
  readonly choices: readonly OptionChoice[];
  readonly onQuery?: (text: string) => void;
  readonly empty?: string;
};

/** A select whose entries are option objects, wherever they come from. */
export function OptionSelect({ choices, onQuery, empty, ...props }: OptionSelectProps) {
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
      {...(onQuery === undefined ? {} : { onQuery })}
      {...(empty === undefined ? {} : { empty })}
    />
  );
}

/** Option objects as entries of a list. */
export function optionChoices(options: unknown, group?: string): OptionChoice[] {
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

type Kind = 'user' | 'conversation' | 'channel';

/** The selects of people, conversations and channels, single and multiple. */
export function PeopleSelect(props: ElementProps) {
  const boot = useBoot();
  const { state, change } = useField(props);
  const type = stringOf(props.element['type']);
  const multiple = type.startsWith('multi_');
  const kind = /users|conversations|channels/.exec(type)?.[0].slice(0, -1) as Kind;
  const choices = peopleChoices(boot, kind, props.element);
  const keys = heldIds(state, kind, multiple);
  const selected = keys.map(
    (key) => choices.find((choice) => choice.key === key) ?? { key, text: key },
  );
  const select = (picked: readonly Choice[]): void => {
    const ids = picked.map((choice) => choice.key);
    change(
      multiple
        ? { type, [`selected_${kind}s`]: ids }
        : { type, [`selected_${kind}`]: ids[0] ?? null },
    );
  };
  return (
    <Combobox
      choices={choices}
      selected={selected}
      multiple={multiple}
      placeholder={placeholderOf(props.element) || `Select a ${kind}`}
      attributes={controlAttributes(props)}
      onSelect={select}
    />
  );
}

function heldIds(state: ElementState, kind: Kind, multiple: boolean): readonly string[] {
  if (multiple) return state[`selected_${kind}s`] ?? [];
  const id = state[`selected_${kind}`];
  return id === null || id === undefined ? [] : [id];
}

function peopleChoices(boot: Bootstrap, kind: Kind, element: Json): Choice[] {
  if (kind === 'user') {
    return boot.users
      .filter((user) => !user.deleted && !user.is_bot)
      .map((user) => ({ key: user.id, text: displayName(user), description: `@${user.name}` }));
  }
  const include = stringsOf(objectOf(element['filter'])['include']);
  const wanted = { public: 'public', private: 'private', dm: 'im' } as const;
  return boot.channels
    .filter((channel) => kind === 'conversation' || channel.kind !== 'dm')
    .filter((channel) => include.length === 0 || include.includes(wanted[channel.kind]))
    .map((channel) => ({
      key: channel.id,
      text: channel.kind === 'dm' ? channel.name : `#${channel.name}`,
    }));
}
