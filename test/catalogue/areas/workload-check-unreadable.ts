import type { Area } from '../entry.ts';
import { unreadable, unreadableFile } from './workload-check.ts';

/** Id, mistake, and the text that is pasted. */
const BROKEN: readonly (readonly [id: string, when: string, text: string])[] = [
  ['plain-text', 'It is prose.', 'Please check my workload'],
  ['tab', 'A tab in place of spaces.', 'spec:\n\tdefaultOptions: {}'],
  ['no-break-space', 'It was copied from a web page.', 'spec:\n\u00A0 a: 1\n  b: 2'],
  ['typographic-quotes', 'It was copied from a chat.', 'tags: [“team”: “shop”,\n'],
  ['typographic-quotes-json', 'The same in JSON.', '{\n "a": “b”: 1\n}'],
  ['template', 'It is a template.', 'kind: workload\n{{- if x }}\nname: cart\n{{- end }}\n'],
  ['open-list', 'A list stays open.', 'spec:\n  retryOn: [unavailable, reset\n'],
  ['open-mapping', 'A mapping stays open.', 'spec: {suspend: true\nname: cart\n'],
  ['open-list-lines', 'The lines of a list are not indented.', 'spec:\n  a: [1,\n2]\n'],
  ['bracket-too-many', 'There is a bracket too many.', 'name: cart\nspec: {suspend: true}}'],
  ['open-quote', 'A double quote stays open.', 'name: "cart\nspec: 1\n'],
  ['open-single-quote', 'A single quote stays open.', "kind: workload\nname: 'cart\n"],
  ['after-quote', 'Something follows a text in quotes.', 'name: "cart" api\n'],
  ['colon', 'A colon is missing.', 'kind: workload\nname cart\nspec: 2'],
  ['comma-json', 'A comma is missing in JSON.', '{\n "kind": "workload"\n "name": "cart"\n}'],
  ['comma', 'A comma is missing between brackets.', 'spec: {a: 1 b: 2}'],
  ['too-far-left', 'A line is too far left.', 'spec:\n    a: 1\n  b: 2'],
  ['beside-items', 'A name beside items.', 'spec:\n  - a: 1\n   b: 2\n'],
  ['too-far-right', 'A line is too far right.', 'kind: workload\n name: cart\n'],
  ['two-colons', 'There are two colons in a line.', 'kind: workload\nname: cart: web'],
  ['item-after-name', 'An item follows a name on its line.', 'containers: - name: web'],
  ['sign', 'A value starts with a sign that YAML keeps for itself.', 'name: @cart'],
  ['backslash', 'There is a backslash in double quotes.', 'name: "\\d"'],
  ['something', 'Something else is no YAML.', 'kind: workload\nname: &a &b cart'],
  ['something-json', 'Something else is no JSON.', '{"kind": !x !y 1}'],
  ['alias-unknown', 'An alias stands for nothing.', 'kind: workload\nspec: *defaults'],
  ['alias-endless', 'An alias stands for itself.', 'spec: &a\n  defaultOptions: *a'],
  ['too-many-values', 'Aliases of aliases stand for billions of values.', bomb()],
  ['too-deep', 'It is nested without end.', '[{a: '.repeat(80)],
];

/** The same for texts that come as files alone. */
const BROKEN_FILES: typeof BROKEN = [
  ['too-many-pieces', 'has more signs than any manifest', `[${','.repeat(200_000)}`],
  ['no-text', 'holds bytes', 'kind: workload\nname: a\0b'],
];

export const workloadCheckUnreadable: Area = {
  id: 'workload-check-unreadable',
  title: '/workload check: manifests that cannot be read',
  entries: [
    ...BROKEN.map(([id, when, text]) => unreadable(id, when, text)),
    ...BROKEN_FILES.map(([id, when, text]) => unreadableFile(id, when, text)),
  ],
};

/** Nine times nine times nine …: some hundred characters. */
function bomb(): string {
  const names = 'abcdefghij'.split('');
  const lines = names.map((name, index) => {
    const item = index === 0 ? 'x' : `*${names[index - 1] ?? ''}`;
    return `${name}: &${name} [${Array.from({ length: 9 }, () => item).join(', ')}]`;
  });
  return lines.join('\n');
}
