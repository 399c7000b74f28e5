import * as fc from '../../../support/fast-check.ts';
import { expect, it } from 'vitest';
import { checkManifest } from '../../../../src/platform/workload/check.ts';
import { mutated } from './any-manifest.ts';

/** A failure names its seed; with it here the same manifests come again. */
const SEED = Number(process.env['MANIFEST_SEED'] ?? 20_261_121);
const MANIFESTS = Number(process.env['MANIFESTS'] ?? 20_500);
const THIN = 3;

it('mutated manifests are checked without a crash, and every finding lies within them', () => {
  let read = 0;
  fc.assert(
    fc.property(mutated, (text) => {
      const lines = text.split('\n').length;
      const result = checkManifest(text, 'svc');
      const reported =
        'unreadable' in result
          ? [{ line: result.unreadable.line, what: result.unreadable.says, fix: 'x' }]
          : result.findings;
      read += 'unreadable' in result ? 0 : 1;
      const wrong = reported.filter(
        ({ line, what, fix }) =>
          !(Number.isInteger(line) && line >= 1 && line <= lines) ||
          // A case that the reader itself did not expect.
          what.startsWith('cannot be read') ||
          /undefined|NaN|\[object|[.]$/.test(what.replaceAll(/"[^"]*"|\bis NaN|\.nan/gi, '')) ||
          fix === '',
      );
      if (wrong.length > 0) throw new Error(`Wrongly reported: ${JSON.stringify(wrong)}`);
    }),
    { numRuns: MANIFESTS, seed: SEED, thin: THIN },
  );

  // Most accidents leave YAML behind: else little but its parser would be tried.
  expect(read).toBeGreaterThan(fc.runsOf(MANIFESTS, THIN) / 3);
}, 120_000);
