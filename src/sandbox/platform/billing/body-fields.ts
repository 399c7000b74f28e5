import type { Field } from '../control-schema.ts';
import { BILLING_ROLES } from './model.ts';

/** Fields that several bodies of the billing API have. */
export const email: Field = { schema: { type: 'string', format: 'email', maxLength: 254 } };
export const dateTime: Field = { schema: { type: 'string', format: 'date-time' } };
export const freeText: Field = { schema: { type: 'string' } };
export const emails: Field = { schema: { type: 'array', items: email.schema } };

/** Some of the three billing roles, none of them twice; at least `minItems`. */
export function roles(minItems: number): Field {
  return {
    schema: { type: 'array', items: { enum: BILLING_ROLES }, minItems, uniqueItems: true },
  };
}
