interface Named {
  /** Section, then a path of words: `4.2/list/newest-first`. */
  readonly id: string;
  /** The rule in one sentence. */
  readonly says: string;
}

/** `test` is a file below `test/` and the title of a test in it, as its source has it (`%s` and all). */
interface Shown extends Named {
  readonly test: readonly [file: string, title: string];
}

/** Pure knowledge that no endpoint shows; it gets its tests with the feature that uses it. */
interface Later extends Named {
  readonly later: 'workload knowledge';
}

/** One row or sentence of the specification, and the test that shows it. */
export type Rule = Shown | Later;
