/** Texts that look as if people read them, and why the catalogue does not show them. */
export const UNSAID: readonly {
  /** Below `src`. */
  readonly file: string;
  /** A part of the text; absent: all texts of the file. */
  readonly text?: string;
  readonly why: string;
}[] = [];
