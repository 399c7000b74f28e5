import type { PageFile } from '../../page-protocol.ts';

/** The files of a message: images as a preview, everything with a link to download. */
export function Files({ files }: { files: readonly PageFile[] }) {
  if (files.length === 0) return null;
  return (
    <ul class="files">
      {files.map((file) => (
        <li key={file.id}>
          {file.mimetype.startsWith('image/') && (
            <img class="preview" src={file.url} alt={file.alt_text ?? (file.title || file.name)} />
          )}
          <a class="file" href={file.url} download={file.name}>
            <span class="file-kind" aria-hidden="true">
              {kindOf(file)}
            </span>
            <span>
              <b>{file.title || file.name}</b>
              <small>
                {file.name} · {sizeLabel(file.size)} · Download
              </small>
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function kindOf(file: PageFile): string {
  return (/\.(\w{1,4})$/.exec(file.name)?.[1] ?? 'file').toUpperCase();
}

/** Bytes as people read them: "912 B", "4.2 kB", "1.3 MB". */
function sizeLabel(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000
    ? `${(bytes / 1000).toFixed(1)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
