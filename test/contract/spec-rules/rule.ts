/** One row or sentence of the specification, and the test that shows it. */
export interface Rule {
  /** Section, then a path of words: `4.2/list/newest-first`. */
  readonly id: string;
  /** The rule in one sentence. */
  readonly says: string;
  /** A file below `test/` and the title of a test in it, as its source has it (`%s` and all). */
  readonly test: readonly [file: string, title: string];
}
