import { LIMITS } from './limits.ts';

/** A JSON Schema, as data. */
export type Schema = { readonly [key: string]: unknown };

/** A string of 1 to `max` characters. */
export const text = (max: number): Schema => ({ type: 'string', minLength: 1, maxLength: max });
export const id = text(LIMITS.id);
export const flag: Schema = { type: 'boolean' };
export const integer = (minimum: number, maximum: number): Schema => ({
  type: 'integer',
  minimum,
  maximum,
});
export const listOf = (items: Schema, minItems: number, maxItems: number): Schema => ({
  type: 'array',
  items,
  minItems,
  maxItems,
});
export const oneOf = (...values: string[]): Schema => ({ enum: values });

/** An object with exactly these members; the ones named in `required` must be there. */
export function object(properties: Record<string, Schema>, required: string[] = []): Schema {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** An object distinguished from its siblings by `type`. */
export function typed(type: string, properties: Record<string, Schema>, required: string[] = []) {
  return object({ type: { const: type }, ...properties }, ['type', ...required]);
}

/** Looks `typed` schemas up by their type. */
function byType(...schemas: readonly Schema[]): Readonly<Record<string, Schema>> {
  const typeOf = (schema: Schema) =>
    (schema['properties'] as { type: { const: string } }).type.const;
  return Object.fromEntries(schemas.map((schema) => [typeOf(schema), schema]));
}

/** Any one of these `typed` objects. */
export function anyType(...schemas: readonly Schema[]) {
  return {
    type: 'object',
    discriminator: { propertyName: 'type' },
    required: ['type'],
    oneOf: schemas,
  };
}

export const plainText = (max: number): Schema =>
  typed('plain_text', { text: text(max), emoji: flag }, ['text']);
export const mrkdwn = (max: number): Schema =>
  typed('mrkdwn', { text: text(max), verbatim: flag }, ['text']);
export const eitherText = (max: number): Schema => anyType(plainText(max), mrkdwn(max));

const confirm = object(
  {
    title: plainText(LIMITS.confirm.title),
    text: eitherText(LIMITS.confirm.text),
    confirm: plainText(LIMITS.confirm.button),
    deny: plainText(LIMITS.confirm.button),
    style: oneOf('primary', 'danger'),
  },
  ['title', 'text', 'confirm', 'deny'],
);

const optionOf = (label: Schema): Schema =>
  object(
    {
      text: label,
      value: text(LIMITS.option.value),
      description: eitherText(LIMITS.option.description),
      url: text(LIMITS.option.url),
    },
    ['text', 'value'],
  );
const plainOption = optionOf(plainText(LIMITS.option.text));
const richOption = optionOf(eitherText(LIMITS.option.text));
const options = listOf(plainOption, 1, LIMITS.select.options);
const optionGroups = listOf(
  object({ label: plainText(LIMITS.select.groupLabel), options }, ['label', 'options']),
  1,
  LIMITS.select.groups,
);

const action = { action_id: id, confirm, focus_on_load: flag };
const placeholder = plainText(LIMITS.placeholder);
const picked = { type: 'string' } as const;
const pickedMany = { type: 'array', items: picked } as const;
const maxSelected = { type: 'integer', minimum: 1 } as const;
const { button: buttonLimit, input } = LIMITS;

const button = typed(
  'button',
  {
    action_id: id,
    confirm,
    text: plainText(buttonLimit.text),
    value: text(buttonLimit.value),
    url: text(buttonLimit.url),
    style: oneOf('primary', 'danger'),
    accessibility_label: text(buttonLimit.accessibilityLabel),
  },
  ['text'],
);

export const image = typed(
  'image',
  {
    alt_text: text(LIMITS.image.altText),
    image_url: text(LIMITS.image.url),
    slack_file: { type: 'object' },
  },
  ['alt_text'],
);

const overflow = typed(
  'overflow',
  { action_id: id, confirm, options: listOf(plainOption, 1, LIMITS.overflow) },
  ['options'],
);

const single = (type: string, extra: Record<string, Schema>, required: string[] = []): Schema =>
  typed(type, { ...action, placeholder, ...extra }, required);
const multi = (type: string, extra: Record<string, Schema>, required: string[] = []): Schema =>
  single(type, { max_selected_items: maxSelected, ...extra }, required);

/** The `options` of a static select are required, but `option_groups` may stand for them. */
const withOptions = (schema: Schema): Schema => ({
  ...schema,
  anyOf: [{ required: ['options'] }, { required: ['option_groups'] }],
});

const selects = byType(
  withOptions(
    single('static_select', { options, option_groups: optionGroups, initial_option: plainOption }),
  ),
  withOptions(
    multi('multi_static_select', {
      options,
      option_groups: optionGroups,
      initial_options: options,
    }),
  ),
);

const choices = byType(
  typed(
    'checkboxes',
    {
      ...action,
      options: listOf(richOption, 1, LIMITS.checkboxes),
      initial_options: listOf(richOption, 1, LIMITS.checkboxes),
    },
    ['options'],
  ),
);

const pickers = byType(
  single('datepicker', { initial_date: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' } }),
);

const dispatchConfig = object({
  trigger_actions_on: listOf(oneOf('on_enter_pressed', 'on_character_entered'), 1, 2),
});
const typedIn = {
  action_id: id,
  focus_on_load: flag,
  placeholder,
  dispatch_action_config: dispatchConfig,
} as const;

const inputs = byType(
  typed('plain_text_input', {
    ...typedIn,
    initial_value: { type: 'string', maxLength: input.length },
    multiline: flag,
    min_length: integer(0, input.length),
    max_length: integer(1, input.length),
  }),
  typed(
    'number_input',
    {
      ...typedIn,
      is_decimal_allowed: flag,
      initial_value: picked,
      min_value: picked,
      max_value: picked,
    },
    ['is_decimal_allowed'],
  ),
  typed('email_text_input', { ...typedIn, initial_value: picked }),
  typed('file_input', {
    action_id: id,
    filetypes: pickedMany,
    max_files: integer(1, LIMITS.fileInput),
  }),
);

/** Every element that Purser sends, by its type. */
export const ELEMENTS: Readonly<Record<string, Schema>> = {
  ...byType(button, image, overflow),
  ...selects,
  ...choices,
  ...pickers,
  ...inputs,
};

const chosen = [...Object.keys(selects), ...Object.keys(choices), ...Object.keys(pickers)];

/** The elements that each block takes. */
export const PLACES = {
  accessory: ['button', 'image', 'overflow', ...chosen],
  actions: ['button', 'overflow', ...chosen],
  input: [...Object.keys(inputs), ...chosen],
} as const satisfies Record<string, readonly string[]>;
