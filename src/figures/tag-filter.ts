/**
 * Values of a tag as a filter and back (spec 4.5 rule 2): one value is exact, several are an anchored
 * alternation.
 */

/** A number, which the platform matches with regular expressions only. */
const NUMBER_TAG = 'volumeIndex';

/** The filter that lets exactly these values through, of which there is at least one. */
export function filterFor(tag: string, values: readonly string[]): string {
  const [first = ''] = values;
  if (values.length === 1 && tag !== NUMBER_TAG && !isWrapped(first)) return first;
  const named = values.filter((value) => value !== '').map(literal);
  // An empty alternative is not defined in POSIX; that all of it may be missing is.
  const optional = named.length < values.length ? '?' : '';
  return named.length === 0 ? '/^$/' : `/^(${named.join('|')})${optional}$/`;
}

/** The filter for what a person typed, a value or an expression. */
export function filterAsTyped(tag: string, typed: string): string {
  return tag === NUMBER_TAG && !isWrapped(typed) ? filterFor(tag, [typed]) : typed;
}

/** The values that a filter lets through; undefined where it does not say so as `filterFor` would. */
export function valuesIn(tag: string, filter: string): readonly string[] | undefined {
  const values = isWrapped(filter) ? alternatives(filter) : [filter];
  const isPlain = new Set(values).size === values.length && values.length > 0;
  return isPlain && filterFor(tag, values) === filter ? values : undefined;
}

function alternatives(filter: string): string[] {
  if (filter === '/^$/') return [''];
  const { body = '', optional = '' } =
    /^\/\^\((?<body>.*)\)(?<optional>\??)\$\/$/s.exec(filter)?.groups ?? {};
  const named = body.match(/(?:\\.|[^\\|])+/gs) ?? [];
  const values = named.map((one) => one.replace(/\\(.)/gs, '$1'));
  return optional === '' ? values : [...values, ''];
}

/** Whether the platform takes a text as a regular expression. */
function isWrapped(text: string): boolean {
  return text.startsWith('/') && text.endsWith('/');
}

function literal(value: string): string {
  return value.replace(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`);
}
