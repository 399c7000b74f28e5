/** Words for the JSON schemas of control bodies: short to write, strict to answer. */
export interface Field {
  readonly schema: object;
  readonly optional?: true;
}

export const text: Field = { schema: { type: 'string', minLength: 1 } };
export const switchField: Field = { schema: { type: 'boolean' } };

export function number(minimum: number): Field {
  return { schema: { type: 'number', minimum } };
}

export function integer(minimum: number): Field {
  return { schema: { type: 'integer', minimum } };
}

/** A whole number of hundredths, or null. */
export const percentOrNull: Field = {
  schema: { type: ['integer', 'null'], minimum: 1, maximum: 100 },
};

/** RFC 3339, or null. */
export const timeOrNull: Field = { schema: { type: ['string', 'null'], format: 'date-time' } };

export function oneOf(values: readonly string[]): Field {
  return { schema: { enum: values } };
}

export function optional(field: Field): Field {
  return { ...field, optional: true };
}

/** An object that has these fields and no others. */
export function body(fields: Readonly<Record<string, Field>>): object {
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(fields).filter((name) => fields[name]?.optional !== true),
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, field.schema]),
    ),
  };
}
