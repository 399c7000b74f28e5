/** How much of the reason of a failed test the summary repeats. */
const REASON_LINES = 12;

/** The failed files of a run: one of their tests failed, or the file itself. */
export function failedFilesOf(run) {
  return run.files.filter(({ status }) => status === 'failed').map(({ name }) => name);
}

/**
 * A run with what its failed files gave the second time. What failed first and passes now is `unsteady`. A
 * run that was not content although no test failed stays so.
 */
export function mergedWith(first, second) {
  const again = new Map(second.files.map((file) => [file.name, file]));
  const files = first.files.map((file) => again.get(file.name) ?? file);
  const merged = { ...second, files };
  const still = new Set(summaryOf([merged], false).failed.map(nameOf));
  const unsteady = summaryOf([first], false).failed.filter((one) => !still.has(nameOf(one)));
  return { ...merged, unsteady };
}

const nameOf = (one) => one.split('\n', 1)[0];

/**
 * The results of runs of vitest: the tests that were skipped, those that failed or were unsteady with the
 * beginning of their reason (a log is often read from its end), the one line that counts ("N passed, N failed", with ", N
 * skipped" when there are any), and whether it is red: when something failed and, with `isStrict`, when a
 * test was skipped. A run is `{ files, isWell, node }`: its report by file, whether vitest itself was
 * content, and the version of its Node, which is named where there is more than one.
 */
export function summaryOf(runs, isStrict) {
  const isMixed = new Set(runs.map((run) => run.node)).size > 1;
  const files = runs.flatMap((run) =>
    run.files.map((file) => (isMixed ? { ...file, name: `Node ${run.node}: ${file.name}` } : file)),
  );
  const tests = files.flatMap((file) =>
    file.assertionResults.map(({ fullName, status, failureMessages }) => ({
      name: `${file.name}: ${fullName}`,
      status,
      reason: failureMessages?.[0],
    })),
  );
  const countOf = (wanted) => tests.filter(({ status }) => status === wanted).length;
  const skipped = tests.filter(({ status }) => status !== 'passed' && status !== 'failed');
  // A file that cannot be loaded has no tests to fail.
  const broken = files.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  );
  // An error between the tests (a rejection that is not awaited) shows in the exit code alone.
  const isWell = runs.every((run) => run.isWell);
  const failed = [
    ...tests.filter(({ status }) => status === 'failed'),
    ...broken.map(({ name, message }) => ({ name, reason: message })),
  ];
  if (!isWell && failed.length === 0) failed.push({ name: 'between the tests, see the log' });
  const skippedPart = skipped.length > 0 ? `, ${skipped.length} skipped` : '';
  return {
    unsteady: runs.flatMap((run) => run.unsteady ?? []),
    skipped: skipped.map(({ name }) => name),
    failed: failed.map(({ name, reason }) => `${name}${beginningOf(reason)}`),
    line: `${countOf('passed')} passed, ${failed.length} failed${skippedPart}`,
    isRed: failed.length > 0 || (isStrict && skipped.length > 0),
  };
}

function beginningOf(reason) {
  if (!reason) return '';
  return reason
    .split('\n', REASON_LINES)
    .map((line) => `\n    ${line}`)
    .join('');
}
