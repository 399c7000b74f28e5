import { minuteOf, momentOf, type Json, type Records } from './records.ts';

/** A line of the polls, as the engine takes it (`npm run play`). */
export type PlayLine =
  | { at: string; org: string; gvc: string; items: unknown[] }
  | { at: string; org: string; gvc: string; status: number }
  | { at: string; do: 'restart' }
  | { at: string; do: 'mute'; for: string };

/** A message, as a channel shows it. */
export interface Shown {
  at: string;
  how: 'post' | 'reply' | 'broadcast' | 'edit';
  key: string;
  covers?: string[];
  text: string;
  blocks: unknown[];
}

export interface Options {
  quiet?: boolean;
  only?: readonly string[];
  patience?: number;
}

/** One event of a story; minutes count from its minute 0. */
type Step =
  | { readonly minute: number; readonly records: readonly Records[] }
  | { readonly minute: number; readonly gvc: string; readonly status: number }
  | { readonly minute: number; readonly empty: string }
  | { readonly minute: number; readonly restart: true }
  | { readonly minute: number; readonly mute: string };

/**
 * One thing that people live through: polls in, messages out.
 *
 * A message is `MINUTE HOW KEY "TEXT"`. MINUTE is `3`, `3..5` or `23h05`. HOW is post, reply, broadcast or
 * edit; `loud` is a post or a broadcast, `quiet` a reply or an edit, `any` all four. KEY is without `acme/shop/`
 * (`@location` without `acme/`), `*` in it is any text, and `a|b` one of two. `covers KEY KEY` may follow. TEXT
 * is how the message begins, `…` in it is any text, and a sign may be absent. A line in parentheses may be
 * absent. Posts and replies that no line names fail a story; edits that no line names are ignored, because
 * cards are edited with every change.
 */
export interface Story {
  /** The finding, or the rule, that it is of. */
  readonly of: string;
  readonly title: string;
  readonly polls: readonly Step[];
  readonly messages: readonly string[];
  /** Neither the text nor the blocks of any message may match. */
  readonly never?: RegExp;
  readonly options?: Options;
}

const ORG = 'acme';

/** From this minute on the lists have these records; all others stay as they were. */
export function at(minute: number, ...records: readonly Records[]): Step {
  return { minute, records };
}

/** Half an hour before the story: the first poll. */
export function known(...records: readonly Records[]): Step {
  return { minute: -30, records };
}

/** The same lists are read until then. */
export function until(minute: number): Step {
  return { minute, records: [] };
}

/** From this minute on the API answers with this status; a later `at` or `until` ends it. */
export function answers(minute: number, status: number, gvc = 'shop'): Step {
  return { minute, gvc, status };
}

/** From this minute on the list of the GVC is empty; a later `at` or `until` ends it. */
export function emptyList(minute: number, gvc = 'shop'): Step {
  return { minute, empty: gvc };
}

/** The bot is away from the line before until then. */
export function awayUntil(minute: number): Step {
  return { minute, restart: true };
}

export function mute(minute: number, span: string): Step {
  return { minute, mute: span };
}

/** The records of all GVCs as they are, and when each of their versions was first seen. */
class World {
  private readonly gvcs = new Map<string, Map<string, Json>>();
  private readonly created = new Map<string, Map<string, number>>();

  take(records: Records, minute: number): void {
    const items = this.gvcs.get(records.gvc) ?? new Map<string, Json>();
    this.gvcs.set(records.gvc, items);
    for (const location of records.locations) {
      const name = `${records.workload}/${location}`;
      if (records.isGone) items.delete(name);
      else items.set(name, records.item(location, this.seen(records, location, minute), ORG));
    }
  }

  lines(minute: number): PlayLine[] {
    return [...this.gvcs].map(([gvc, items]) => ({
      at: momentOf(minute),
      org: ORG,
      gvc,
      items: [...items.values()],
    }));
  }

  private seen(records: Records, location: string, minute: number): Map<string, number> {
    const name = `${records.gvc}/${records.workload}/${location}`;
    const created = this.created.get(name) ?? new Map<string, number>();
    this.created.set(name, created);
    for (const key of records.versionKeys()) {
      if (!created.has(key)) created.set(key, minute);
    }
    return created;
  }
}

/** The polls of a story, as the engine takes them. */
export function linesOf({ polls }: Pick<Story, 'polls'>): PlayLine[] {
  const world = new World();
  return polls.flatMap((step): PlayLine[] => {
    const moment = momentOf(step.minute);
    if ('status' in step) return [{ at: moment, org: ORG, gvc: step.gvc, status: step.status }];
    if ('empty' in step) return [{ at: moment, org: ORG, gvc: step.empty, items: [] }];
    if ('mute' in step) return [{ at: moment, do: 'mute', for: step.mute }];
    if ('restart' in step) return [{ at: moment, do: 'restart' }, ...world.lines(step.minute)];
    for (const records of step.records) world.take(records, step.minute);
    return world.lines(step.minute);
  });
}

const LINE =
  /^(?<from>-?[\dh]+)(?:\.\.(?<to>-?[\dh]+))? (?<how>\w+) (?<key>\S+)(?: covers (?<covers>[^"]+?))?(?: "(?<text>.*)")?$/u;

interface Expected {
  readonly line: string;
  readonly isOptional: boolean;
  readonly from: number;
  readonly to: number;
  readonly how: ReadonlySet<string>;
  readonly key: RegExp;
  readonly covers: readonly RegExp[];
  readonly text: RegExp;
}

const HOW: Readonly<Record<string, readonly string[]>> = {
  loud: ['post', 'broadcast'],
  quiet: ['reply', 'edit'],
  any: ['post', 'broadcast', 'reply', 'edit'],
};

function expectedOf(line: string): Expected {
  const isOptional = line.startsWith('(');
  const { from, to, how, key, covers, text } =
    LINE.exec(isOptional ? line.slice(1, -1) : line)?.groups ?? {};
  if (from === undefined || how === undefined || key === undefined) {
    throw new Error(`not a line of a story: ${line}`);
  }
  return {
    line,
    isOptional,
    from: minutes(from),
    to: minutes(to ?? from),
    how: new Set(HOW[how] ?? [how]),
    key: keyPattern(key),
    covers: (covers?.split(' ') ?? []).map(keyPattern),
    text: textPattern(text ?? ''),
  };
}

/** `23h05` is 1,385. */
function minutes(text: string): number {
  const [first = '', rest] = text.split('h');
  return rest === undefined ? Number(first) : Number(first) * 60 + Number(rest || 0);
}

function keyPattern(key: string): RegExp {
  const some = key.split('|').map((one) => escaped(fullKey(one)).replaceAll('*', '.*'));
  return new RegExp(`^(?:${some.join('|')})$`, 'u');
}

function fullKey(key: string): string {
  if (key.startsWith(`${ORG}/`)) return key;
  if (key.startsWith('@mute') || key.startsWith('*')) return `*${key}`;
  return key.startsWith('@location') ? `${ORG}/${key}` : `${ORG}/shop/${key}`;
}

const ANY_SIGN = '[🔴🟠⚪✅⏳🟡🟢🔵⚫]';
const SIGN = new RegExp(`^${ANY_SIGN}`, 'u');

/** Its sign, or none; where the line states no sign, any. */
function textPattern(text: string): RegExp {
  const sign = SIGN.exec(text)?.[0] ?? '';
  const parts = text.slice(sign.length).trimStart().split('…').map(escaped);
  return new RegExp(`^(?:${sign || ANY_SIGN}\\uFE0F? ?)?${parts.join('[^]*')}`, 'iu');
}

function escaped(text: string): string {
  return text.replace(/[.+?^${}()[\]\\/|]/gu, '\\$&');
}

function matches(expected: Expected, shown: Shown): boolean {
  const minute = minuteOf(shown.at);
  return (
    minute >= expected.from &&
    minute < expected.to + 1 &&
    expected.how.has(shown.how) &&
    expected.key.test(shown.key) &&
    expected.covers.every((pattern) => (shown.covers ?? []).some((key) => pattern.test(key))) &&
    expected.text.test(shown.text.replaceAll(/[*`]/gu, '').trim())
  );
}

function lineOf({ at, how, key, covers = [], text }: Shown): string {
  const covered = covers.length === 0 ? '' : ` covers ${covers.map(shortKey).join(' ')}`;
  return `${minuteOf(at)} ${how} ${shortKey(key)}${covered} "${text.replaceAll('\n', ' ⏎ ')}"`;
}

function shortKey(key: string): string {
  return key.replace(/^acme\/(?:shop\/)?(?=[^@]|@)/u, '');
}

/**
 * The messages of a story beside those that were shown: two blanks before equal ones, `-` before missing ones,
 * `+` before additional ones. '' when all agree.
 */
export function differenceOf(story: Story, shown: readonly Shown[]): string {
  const left = [...shown];
  const rows: { minute: number; row: string; isWrong: boolean }[] = [];
  for (const expected of story.messages.map(expectedOf)) {
    const place = left.findIndex((one) => matches(expected, one));
    const [found] = place < 0 ? [] : left.splice(place, 1);
    if (found !== undefined)
      rows.push({ minute: minuteOf(found.at), row: `  ${lineOf(found)}`, isWrong: false });
    else if (!expected.isOptional)
      rows.push({ minute: expected.from, row: `- ${expected.line}`, isWrong: true });
  }
  for (const one of left) {
    if (one.how === 'edit') continue;
    rows.push({ minute: minuteOf(one.at), row: `+ ${lineOf(one)}`, isWrong: true });
  }
  for (const one of shown) {
    if (story.never?.test(`${one.text} ${JSON.stringify(one.blocks)}`) !== true) continue;
    rows.push({ minute: minuteOf(one.at), row: `! ${lineOf(one)}`, isWrong: true });
  }
  if (!rows.some(({ isWrong }) => isWrong)) return '';
  const sorted = rows.toSorted((a, b) => a.minute - b.minute).map(({ row }) => row);
  return [`${story.of}: ${story.title}`, ...sorted].join('\n');
}
