import type { InputBlock } from '@slack/types';
import { LIMITS } from './limits.ts';
import { plain } from './plain.ts';

/** What every field has. Its block and its action have the same id, by which the values come back. */
export interface Field {
  id: string;
  label: string;
  hint?: string;
  optional?: boolean;
  /** What is chosen is told at once, because other fields depend on it. */
  tells?: true;
}

export function input(field: Field, element: InputBlock['element']): InputBlock {
  return {
    type: 'input',
    block_id: field.id,
    label: plain(field.label, LIMITS.label),
    element,
    ...(field.tells === true ? { dispatch_action: true } : {}),
    ...(field.optional === true ? { optional: true } : {}),
    ...(field.hint === undefined ? {} : { hint: plain(field.hint, LIMITS.label) }),
  };
}

export function placeholderOf({ placeholder }: { placeholder?: string }) {
  return placeholder === undefined ? {} : { placeholder: plain(placeholder, LIMITS.placeholder) };
}
