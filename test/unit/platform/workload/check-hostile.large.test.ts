import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { type Schema, WORKLOAD_SCHEMA } from '../../../../src/platform/workload/manifest/schema.ts';
import { tagName, TAGS } from '../../../../src/platform/workload/tags.ts';
import { checked } from './check-support.ts';

/** Far above the time of a check, and far below the minutes of an expression that goes back again and again. */
const DEADLINE_MS = 30_000;

/** Runs code that may take for ever: it is stopped at the deadline, with an error. */
function ending<Result>(run: () => Result): Result {
  return runInNewContext('run()', { run }, { timeout: DEADLINE_MS }) as Result;
}

const times = (piece: string): string => piece.repeat(Math.ceil(400_000 / piece.length));

/** The same value in each place that is looked at, so that it is read once. */
function everywhere(value: string): string {
  const filled = ({ properties, items }: Schema): unknown => {
    if (items !== undefined) return [filled(items)];
    if (properties === undefined) return ' *t ';
    return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, filled(one)]));
  };
  const spec = filled(WORKLOAD_SCHEMA.properties?.['spec'] ?? {});
  const tags = Object.fromEntries(TAGS.map((rule) => [tagName('svc', rule), ' *t ']));
  const written = JSON.stringify({ tags, spec }).replaceAll('" *t "', ' *t ');
  return `{"x": &t ${value}, ${written.slice(1)}`;
}

it.each<[string, string]>([
  ['digits', times('1')],
  ['digits in quotes', `"${times('1')}x"`],
  ['zeros', `"${times('0')}x"`],
  ['digits after a point', `"1.${times('1')}x"`],
  ['an exponent', `"1e${times('1')}x"`],
  ['blanks', `"1${times(' ')}%x"`],
  ['durations', `"${times('1m')}x"`],
  ['points', `"${times('a.')}/"`],
  ['hyphens', `"a${times('-')}"`],
  ['colons', `"${times(':1')}x"`],
  ['slashes', `"${times('/1')}"`],
  ['brackets', `"${times('[')}"`],
  ['backticks', `"${times('`')}"`],
])('a value of %s without end is looked at in the time of a glance', (_, value) => {
  const { findings } = ending(() => checked(everywhere(value)));

  expect(findings.length).toBeGreaterThan(30);
  expect(findings.every(({ what, fix }) => what.length + (fix ?? '').length < 400)).toBe(true);
});

const name = times('1');

it('names without end, too', () => {
  const text = `{"tags": {"svc/${name}": "a", "x/${name.slice(0, 9)}": "b"}, "spec": {"defaultOptions": {"${name.slice(0, 90_000)}": 1}}}`;

  expect(ending(() => checked(text)).findings.map(({ severity }) => severity)).toEqual([
    'warning',
    'note',
  ]);
});

it('a long name in many places, too', () => {
  const text = `spec: {containers: [&a {"${name}": 1}, ${'*a, '.repeat(1_000)} *a]}`;

  expect(ending(() => checked(text)).findings.length).toBeGreaterThan(1_000);
});
