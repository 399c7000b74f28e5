import { gzipSync } from 'node:zlib';

import * as fc from 'fast-check';
import { LosslessNumber, parse, stringify } from 'lossless-json';

import type { Said } from './tape.ts';

/**
 * A document that may say what JSON objects cannot: a name twice, `__proto__`, any text as a value.
 * The names in a list count for nothing.
 */
type Part = string | { readonly isList: boolean; readonly members: Member[] };
interface Member {
  name: string;
  part: Part;
}

/** Lists of true answers are cut to this many elements, so that the changed place is often money. */
const KEPT = 3;
const DEPTH = 10_000;

/** Values that no answer has at this place, or only another place has. */
const ODD_TEXTS = [
  ...'null true false 0 -0 -0.0 -1 1.5 -12.25 1e400 -1e400 1e-400 1e2 [] {} [[]] [null] [{}]'.split(
    ' ',
  ),
  '9007199254740993',
  '-9007199254740993.5',
  '7'.repeat(60),
  `0.${'3'.repeat(60)}`,
  ...'"5" "12.50" "1e3" "NaN" "Infinity" "-" "" "billing_admin" "ada@acme.example"'.split(' '),
  '"2026-10-01T00:00:00Z"',
  '" "',
  '"\\u0000\\ud800"',
  '{"0":5,"length":1}',
  '{"isLosslessNumber":true,"value":"5"}',
  '{"_isBigNumber":true,"s":1,"e":0,"c":[9]}',
  '{"_isBigNumber":true,"s":1,"e":0,"c":9}',
  '{"__proto__":{"amount":7,"charge":7,"totalCharge":7,"value":7,"total":7}}',
  '{"constructor":{"prototype":{"total":7}},"toString":7,"valueOf":7}',
  '{"valueOf":null,"toString":null,"toJSON":null,"then":7}',
];
const NO_JSON = ['NaN', 'Infinity', '-', '01', '0x10', '1_000', ''];
const ODD_NAMES = [
  '',
  ...'__proto__ constructor prototype toString hasOwnProperty then total amount charge'.split(' '),
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

const inTree = fc.record({
  does: fc.constantFrom(
    ...(['replace', 'replace', 'replace', 'replace', 'replace'] as const),
    ...(['drop', 'rename', 'say again', 'say otherwise', 'swap', 'wrap', 'wrap'] as const),
  ),
  at,
  with: at,
  text: oddText,
  name: fc.constantFrom(...ODD_NAMES),
  /** A list, or an object in which it has this name. */
  wrapper: fc.constantFrom('', '', 'items', 'items', '__proto__', 'constructor', 'prototype'),
});
type TreeChange = typeof inTree extends fc.Arbitrary<infer T> ? T : never;
/** Bytes that are put in; without any, the answer breaks off. */
const inText = fc.record({ at, bytes: fc.option(fc.uint8Array({ maxLength: 8 }), { freq: 1 }) });
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

/** An answer with its lists shortened; another body than JSON stays as it is. */
export function shortened(said: Said): Said {
  if (!/json/.test(said.headers['content-type'] ?? '')) return said;
  return { ...said, body: Buffer.from(stringify(cut(parse(said.body.toString()))) ?? '') };
}

function cut(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, KEPT).map(cut);
  if (typeof value !== 'object' || value === null || value instanceof LosslessNumber) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cut(member)]));
}

/** The answers of a call, one of them spoiled; `body` of each is unpacked. */
export function spoil(answers: readonly Said[], spoiling: Spoiling): Said[] {
  const place = spoiling.answer % answers.length;
  return answers.map((said, index) => (index === place ? spoilOne(said, spoiling) : said));
}

function spoilOne(said: Said, { tree, text }: Spoiling): Said {
  // A success without a body can get one.
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
  const root = { isList: true, members: [{ name: '', part: partOf(parse(text)) }] };
  for (const change of changes) applyTo(root, change);
  return root.members.map(({ part }) => textOf(part)).join('');
}

function changedBytes(body: Buffer, { at, bytes }: TextChange): Buffer {
  const start = body.subarray(0, at % (body.length + 1));
  return bytes === null ? start : Buffer.concat([start, bytes, body.subarray(start.length)]);
}

function partOf(value: unknown): Part {
  if (value instanceof LosslessNumber) return value.value;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, one]) => ({ name, part: partOf(one) }));
  return { isList: Array.isArray(value), members };
}

function textOf(part: Part): string {
  if (typeof part === 'string') return part;
  const { isList, members } = part;
  const texts = members.map(
    ({ name, part: inner }) => `${isList ? '' : `${JSON.stringify(name)}:`}${textOf(inner)}`,
  );
  return isList ? `[${texts.join(',')}]` : `{${texts.join(',')}}`;
}

/** Every place in a document, with the list or object that it is in. */
function placesIn(part: Part): { member: Member; among: Member[] }[] {
  if (typeof part === 'string') return [];
  const places = part.members.map((member) => ({ member, among: part.members }));
  return [...places, ...part.members.flatMap((member) => placesIn(member.part))];
}

function applyTo(root: Part, change: TreeChange): void {
  const places = placesIn(root);
  const place = places[change.at % Math.max(1, places.length)];
  if (place === undefined) return;
  const { member, among } = place;
  const { name, part } = member;
  const next = among.indexOf(member) + 1;
  switch (change.does) {
    case 'replace':
      member.part = change.text;
      break;
    case 'drop':
      among.splice(next - 1, 1);
      break;
    case 'rename':
      member.name = change.name;
      break;
    case 'say again':
      among.splice(next, 0, { name, part });
      break;
    case 'say otherwise':
      among.splice(next, 0, { name, part: change.text });
      break;
    case 'swap': {
      const { member: other } = places[change.with % places.length]!;
      [member.part, other.part] = [textOf(other.part), textOf(part)];
      break;
    }
    case 'wrap': {
      const { wrapper } = change;
      member.part = { isList: wrapper === '', members: [{ name: wrapper, part }] };
      break;
    }
    default:
      change.does satisfies never;
  }
}
