import { useState } from 'preact/hooks';

import { useWorkspace } from '../context.ts';
import { numberOf, stringsOf } from '../json.ts';
import { controlAttributes, type ElementProps, useField } from './field.ts';

/** Uploads at once, as Slack does; the submission carries the files' records. */
export function FileInput(props: ElementProps) {
  const { state, hold } = useField(props);
  const workspace = useWorkspace();
  const [busy, setBusy] = useState(false);
  const files = state.files ?? [];
  const most = numberOf(props.element['max_files'], 10);
  const kinds = stringsOf(props.element['filetypes']).map((kind) => `.${kind}`);

  const add = async (chosen: readonly File[]): Promise<void> => {
    setBusy(true);
    const uploads = chosen.slice(0, most - files.length).map((file) => workspace.upload(file));
    const added = (await Promise.all(uploads)).flatMap((each) => each ?? []);
    hold({ type: 'file_input', files: [...files, ...added] });
    setBusy(false);
  };
  return (
    <div class="file-input">
      <input
        {...controlAttributes(props)}
        type="file"
        multiple={most > 1}
        accept={kinds.join(',')}
        disabled={busy || files.length >= most}
        onChange={(event) => {
          void add([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
      <ul>
        {files.map((file) => (
          <li key={file.id}>
            {file.name}
            <button
              type="button"
              class="plain"
              aria-label={`Remove ${file.name}`}
              onClick={() =>
                hold({ type: 'file_input', files: files.filter((each) => each.id !== file.id) })
              }
            >
              ×
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
