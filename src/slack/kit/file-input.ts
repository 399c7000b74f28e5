import type { KnownBlock } from '@slack/types';
import { input } from './field.ts';
import type { Field } from './field.ts';

interface FileField extends Field {
  /** Extensions without their points. */
  filetypes: readonly string[];
  /** At most 10. */
  maxFiles: number;
}

/** A field for files; its value are their ids. Slack keeps them for the person and hands them to the bot. */
export function fileInput(field: FileField): KnownBlock {
  return input(field, {
    type: 'file_input',
    action_id: field.id,
    filetypes: [...field.filetypes],
    max_files: field.maxFiles,
  });
}
