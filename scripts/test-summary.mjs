// node scripts/test-summary.mjs REPORT EXIT_CODE
// Reads vitest's JSON report and ends with the one line that counts: "N passed, N failed", with
// ", N skipped" when there are any. Fails when something failed and, in CI, when a test was skipped:
// a suite that looks away must not look green.

import { readFileSync } from 'node:fs';

const [path = '', exitCode = ''] = process.argv.slice(2);

/** The tests by file; none when the run died before it could write its report. */
function readFiles() {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).testResults;
  } catch {
    return [];
  }
}

const files = readFiles();
const tests = files.flatMap((file) =>
  file.assertionResults.map(({ fullName, status }) => ({
    name: `${file.name}: ${fullName}`,
    status,
  })),
);
const passed = tests.filter(({ status }) => status === 'passed').length;
const failedTests = tests.filter(({ status }) => status === 'failed').length;
const skipped = tests.filter(({ status }) => status !== 'passed' && status !== 'failed');

// A file that cannot be loaded has no tests to fail.
const brokenFiles = files.filter(
  ({ status, assertionResults }) =>
    status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
).length;
// What goes wrong between the tests (a rejection that nobody awaits) shows in the exit code alone.
const failed = Math.max(failedTests + brokenFiles, exitCode === '0' ? 0 : 1);

for (const { name } of skipped) console.log(`skipped: ${name}`);
const skippedPart = skipped.length > 0 ? `, ${skipped.length} skipped` : '';
console.log(`${passed} passed, ${failed} failed${skippedPart}`);
if (failed > 0 || (process.env.CI && skipped.length > 0)) process.exitCode = 1;
