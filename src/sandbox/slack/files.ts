import type { Ids } from './ids.ts';

export interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly user: string;
  title: string;
  /** For screen readers; Slack wants it of pictures only. */
  readonly altText: string | undefined;
  /** In bytes, as announced; a file that is put there by a person has none. */
  readonly length: number | undefined;
  bytes: Buffer | undefined;
  /** Shared files can be seen; before that the upload is still open. */
  complete: boolean;
  channels: string[];
}

interface Announced {
  readonly altText?: string | undefined;
  readonly length?: number | undefined;
}

export interface Files {
  create(name: string, user: string, announced?: Announced): StoredFile;
  find(id: string): StoredFile | undefined;
}

export function createFiles({ ids }: { ids: Ids }): Files {
  const files = new Map<string, StoredFile>();
  return {
    create(name, user, { altText, length } = {}) {
      const id = ids.next('F');
      const file: StoredFile = {
        id,
        name,
        user,
        title: name,
        altText,
        length,
        bytes: undefined,
        complete: false,
        channels: [],
      };
      files.set(id, file);
      return file;
    },
    find: (id) => files.get(id),
  };
}

const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  gif: 'image/gif',
  jpg: 'image/jpeg',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  pdf: 'application/pdf',
  png: 'image/png',
  txt: 'text/plain',
  yaml: 'text/yaml',
  yml: 'text/yaml',
};

/** `csv` for `report.csv`; empty without an extension. */
export function fileType(name: string): string {
  return /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

export function mimeType(name: string): string {
  return TYPES[fileType(name)] ?? 'application/octet-stream';
}
