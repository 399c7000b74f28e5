import { gzipSync } from 'node:zlib';

import * as fc from 'fast-check';
import { LosslessNumber, parse, stringify } from 'lossless-json';

import type { Said } from './tape.ts';

/** A document that may say what JSON objects cannot: a name twice, `__proto__`, any text as a value. */
type Part = { text: string } | { list: Part[] } | { members: [string, Part][] };

/** Lists of true answers are cut to this many elements, so that what is changed is often money. */
const KEPT = 3;
const DEPTH = 10_000;

/** What no answer has at this place, or only another place has. */
const ODD_TEXTS = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '-0.0',
  '-1',
  '1.5',
  '-12.25',
  '1e400',
  '-1e400',
  '1e-400',
  '1e2',
  '7'.repeat(60),
  `0.${'3'.repeat(60)}`,
  '9007199254740993',
  '-9007199254740993.5',
  '"5"',
  '"12.50"',
  '"1e3"',
  '"NaN"',
  '"Infinity"',
  '"-"',
  '""',
  '" "',
  '"billing_admin"',
  '"ada@acme.example"',
  '"2026-10-01T00:00:00Z"',
  '"\\u0000\\ud800"',
  '[]',
  '{}',
  '[[]]',
  '[null]',
  '[{}]',
  '{"0":5,"length":1}',
  '{"isLosslessNumber":true,"value":"5"}',
  '{"_isBigNumber":true,"s":1,"e":0,"c":[9]}',
  '{"_isBigNumber":true,"s":1,"e":0,"c":9}',
  '{"__proto__":{"amount":7,"charge":7,"totalCharge":7,"value":7,"total":7}}',
  '{"constructor":{"prototype":{"total":7}},"toString":7,"valueOf":7}',
  '{"valueOf":null,"toString":null,"toJSON":null,"then":7}',
] as const;
const NO_JSON = ['NaN', 'Infinity', '-', '01', '0x10', '1_000', ''] as const;
const ODD_NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  '',
  'total',
  'amount',
  'charge',
  'totalCharge',
  'items',
  'roles',
];

const oddText = fc.oneof(
  { weight: 80, arbitrary: fc.constantFrom(...ODD_TEXTS) },
  { weight: 10, arbitrary: fc.json({ maxDepth: 2 }) },
  { weight: 2, arbitrary: fc.constantFrom(...NO_JSON) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '['.repeat(DEPTH) + ']'.repeat(DEPTH),
      '{"periods":'.repeat(DEPTH) + '1' + '}'.repeat(DEPTH),
    ),
  },
);
const at = fc.nat({ max: 1_000_000 });

const inTree = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('replace' as const), at, text: oddText }) },
  fc.record({ does: fc.constant('drop' as const), at }),
  fc.record({ does: fc.constant('rename' as const), at, name: fc.constantFrom(...ODD_NAMES) }),
  fc.record({ does: fc.constant('duplicate' as const), at, text: fc.option(oddText) }),
  fc.record({ does: fc.constant('swap' as const), at, with: at }),
  fc.record({ does: fc.constant('wrap' as const), at, isList: fc.boolean() }),
  fc.record({
    does: fc.constant('inherit' as const),
    at,
    from: fc.constantFrom('__proto__', 'constructor', 'prototype'),
  }),
);
const inText = fc.oneof(
  fc.record({ does: fc.constant('truncate' as const), at }),
  fc.record({ does: fc.constant('insert' as const), at, bytes: fc.uint8Array({ maxLength: 8 }) }),
);
type TreeChange = typeof inTree extends fc.Arbitrary<infer T> ? T : never;
type TextChange = typeof inText extends fc.Arbitrary<infer T> ? T : never;

/** How one answer of a call is spoiled. */
export const spoiling = fc.record({
  /** Which of its answers, where a call takes several. */
  answer: fc.nat({ max: 9 }),
  tree: fc.oneof(
    { weight: 6, arbitrary: fc.tuple(inTree) },
    { weight: 3, arbitrary: fc.array(inTree, { minLength: 2, maxLength: 4 }) },
    { weight: 1, arbitrary: fc.constant([]) },
  ),
  text: fc.oneof({ weight: 14, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: inText }),
  packing: fc.oneof(
    { weight: 12, arbitrary: fc.constant('none' as const) },
    { weight: 3, arbitrary: fc.constant('gzip' as const) },
    { weight: 1, arbitrary: fc.constant('broken' as const) },
  ),
});
export type Spoiling = typeof spoiling extends fc.Arbitrary<infer T> ? T : never;

/** An answer with its lists shortened; what is no JSON stays as it is. */
export function shortened(said: Said): Said {
  if (!/json/.test(said.headers['content-type'] ?? '')) return said;
  return { ...said, body: Buffer.from(stringify(cut(parse(said.body.toString()))) ?? '') };
}

function cut(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, KEPT).map(cut);
  if (typeof value !== 'object' || value === null || value instanceof LosslessNumber) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cut(member)]));
}

/** The answers of a call, one of them spoiled; `body` of each is what it says once it is unpacked. */
export function spoil(answers: readonly Said[], spoiling: Spoiling): Said[] {
  const place = spoiling.answer % answers.length;
  return answers.map((said, index) => (index === place ? spoilOne(said, spoiling) : said));
}

function spoilOne(said: Said, { tree, text }: Spoiling): Said {
  // Where nothing is said to a success, something may be.
  const isSilent = said.body.length === 0;
  const isJson = isSilent || /json/.test(said.headers['content-type'] ?? '');
  const whole = isSilent ? '{}' : said.body.toString();
  let body = isJson ? Buffer.from(changed(whole, tree)) : said.body;
  if (text) body = changedBytes(body, text);
  return { ...said, status: isSilent ? 200 : said.status, body };
}

/** The answer as it goes over the wire. */
export function packed(said: Said, packing: Spoiling['packing']): Said {
  if (packing === 'none') return said;
  const zipped = gzipSync(said.body, { level: 1 });
  const body = packing === 'broken' ? zipped.subarray(0, -9) : zipped;
  return { ...said, headers: { ...said.headers, 'content-encoding': 'gzip' }, body };
}

function changed(text: string, changes: readonly TreeChange[]): string {
  const root: Part = { list: [partOf(parse(text))] };
  for (const change of changes) applyTo(root, change);
  return root.list.map(textOf).join('');
}

function changedBytes(body: Buffer, change: TextChange): Buffer {
  const at = change.at % (body.length + 1);
  if (change.does === 'truncate') return body.subarray(0, at);
  return Buffer.concat([body.subarray(0, at), change.bytes, body.subarray(at)]);
}

function partOf(value: unknown): Part {
  if (value instanceof LosslessNumber) return { text: value.value };
  if (Array.isArray(value)) return { list: value.map(partOf) };
  if (typeof value !== 'object' || value === null) return { text: JSON.stringify(value) };
  return { members: Object.entries(value).map(([name, member]) => [name, partOf(member)]) };
}

function textOf(part: Part): string {
  if ('text' in part) return part.text;
  if ('list' in part) return `[${part.list.map(textOf).join(',')}]`;
  const members = part.members.map(([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`);
  return `{${members.join(',')}}`;
}

/** A place that holds a part: an element of a list, or a member. */
interface Slot {
  readonly part: Part;
  set(part: Part): void;
  drop(): void;
  rename(name: string): void;
  /** Says it again, with another value if one is given. */
  repeat(part: Part): void;
}

function slotsOf(part: Part): Slot[] {
  if ('text' in part) return [];
  const own = 'list' in part ? part.list.map((_, at) => slotInList(part.list, at)) : [];
  const members =
    'members' in part ? part.members.map((entry) => slotOfMember(part.members, entry)) : [];
  const slots = [...own, ...members];
  return [...slots, ...slots.flatMap(({ part: inner }) => slotsOf(inner))];
}

function slotInList(list: Part[], at: number): Slot {
  return {
    part: list[at]!,
    set: (part) => list.splice(at, 1, part),
    drop: () => list.splice(at, 1),
    rename: () => undefined,
    repeat: (part) => list.splice(at, 0, part),
  };
}

function slotOfMember(members: [string, Part][], entry: [string, Part]): Slot {
  return {
    part: entry[1],
    set: (part) => {
      entry[1] = part;
    },
    drop: () => members.splice(members.indexOf(entry), 1),
    rename: (name) => {
      entry[0] = name;
    },
    repeat: (part) => members.push([entry[0], part]),
  };
}

function applyTo(root: Part, change: TreeChange): void {
  const slots = slotsOf(root);
  const slot = slots[change.at % Math.max(1, slots.length)];
  if (slot === undefined) return;
  const { part } = slot;
  switch (change.does) {
    case 'replace':
      return slot.set({ text: change.text });
    case 'drop':
      return slot.drop();
    case 'rename':
      return slot.rename(change.name);
    case 'duplicate':
      return slot.repeat(change.text === null ? part : { text: change.text });
    case 'swap': {
      const other = slots[change.with % slots.length]!;
      const copies = [{ text: textOf(part) }, { text: textOf(other.part) }] as const;
      slot.set(copies[1]);
      return other.set(copies[0]);
    }
    case 'wrap':
      return slot.set(change.isList ? { list: [part] } : { members: [['items', part]] });
    case 'inherit':
      return slot.set({ members: [[change.from, part]] });
    default:
      return change satisfies never;
  }
}
