/**
 * What came of runs of vitest: the tests that were skipped, the one line that counts ("N passed, N
 * failed", with ", N skipped" when there are any), and whether it is red: when something failed and, with
 * `isStrict`, when a test was skipped. A run is `{ files, isWell }`: its report by file, and whether vitest
 * itself was content.
 */
export function summaryOf(runs, isStrict) {
  const files = runs.flatMap((run) => run.files);
  const tests = files.flatMap((file) =>
    file.assertionResults.map(({ fullName, status }) => ({
      name: `${file.name}: ${fullName}`,
      status,
    })),
  );
  const countOf = (wanted) => tests.filter(({ status }) => status === wanted).length;
  const skipped = tests.filter(({ status }) => status !== 'passed' && status !== 'failed');
  // A file that cannot be loaded has no tests to fail.
  const broken = files.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  ).length;
  // What goes wrong between the tests (a rejection that nobody awaits) shows in the exit code alone.
  const isWell = runs.every((run) => run.isWell);
  const failed = Math.max(countOf('failed') + broken, isWell ? 0 : 1);
  const skippedPart = skipped.length > 0 ? `, ${skipped.length} skipped` : '';
  return {
    skipped: skipped.map(({ name }) => name),
    line: `${countOf('passed')} passed, ${failed} failed${skippedPart}`,
    isRed: failed > 0 || (isStrict && skipped.length > 0),
  };
}
