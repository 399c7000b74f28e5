import { createBlockChecker } from '../../src/sandbox/slack/block-check.ts';
import type { Area, Entry, Kind, Sent } from './entry.ts';
import { heardOf, tooLong, type Most } from './heard.ts';

/** An entry with its payload. */
export interface Rendered {
  readonly id: string;
  readonly kind: Kind;
  readonly when: string;
  readonly sent: Sent;
  /** The screen-reader text. */
  readonly heard: string;
  /** Other entries for which just the same is sent. */
  readonly also: readonly Pick<Entry, 'id' | 'when'>[];
}

export interface RenderedArea {
  readonly id: string;
  readonly title: string;
  readonly entries: readonly Rendered[];
}

export interface Catalogue {
  readonly areas: readonly RenderedArea[];
  /** Problems of entries, a sentence each. Such entries are left out. */
  readonly problems: readonly string[];
}

/** The area that shows the content of files. */
const FILES = 'report-files';

/** Unasked messages are short (docs/style.md, "Length"). */
const MESSAGE: Most = { lines: 12, characters: 900 };
const MOST: Readonly<Partial<Record<Kind, Most>>> = {
  post: MESSAGE,
  reply: MESSAGE,
  broadcast: MESSAGE,
  direct: MESSAGE,
  answer: { lines: 20, characters: 1_500, withoutTable: true },
};

/** Answers that list all that is wrong, or a line for each metric that was asked for: never folded (docs/style.md). */
const WHOLE = /^(?:doctor|workload-check|usage-(?:many|every)-metric)/;

const ID = /^[a-z\d]+(-[a-z\d]+)*$/;

/** Renders every entry, and checks it against the limits of Slack. */
export async function renderAll(areas: readonly Area[]): Promise<Catalogue> {
  const checker = createBlockChecker();
  const known = new Set<string>();
  const bySent = new Map<string, Pick<Entry, 'id' | 'when'>[]>();
  const problems: string[] = [];
  const rendered: RenderedArea[] = [];
  for (const { entries, ...area } of areas) {
    const shown: Rendered[] = [];
    if (known.has(area.id)) problems.push(`${area.id} is there twice`);
    known.add(area.id);
    for (const entry of entries) {
      const { id } = entry;
      if (!ID.test(id)) problems.push(`${id} is no kebab-case name`);
      if (known.has(id)) problems.push(`${id} is there twice`);
      known.add(id);
      try {
        const { kind, sent } = await renderOne(entry, checker);
        const most = area.id === FILES || WHOLE.test(id) ? undefined : MOST[kind];
        const length = most === undefined ? undefined : tooLong(sent, most);
        if (length !== undefined) problems.push(`${id} is too long: ${length}`);
        const same = JSON.stringify([kind, sent]);
        const others = bySent.get(same);
        // A text with several occasions is shown once.
        if (others !== undefined) {
          others.push({ id, when: entry.when });
          continue;
        }
        const also: Pick<Entry, 'id' | 'when'>[] = [];
        bySent.set(same, also);
        shown.push({ id, kind, when: entry.when, sent, heard: heardOf(sent), also });
      } catch (error) {
        problems.push(`${id} cannot be shown: ${(error as Error).stack ?? String(error)}`);
      }
    }
    rendered.push({ ...area, entries: shown });
  }
  return { areas: rendered, problems };
}

/** @throws for a payload that Slack would refuse, and the errors of `send` */
async function renderOne(
  { kind, send }: Entry,
  checker: ReturnType<typeof createBlockChecker>,
): Promise<Pick<Rendered, 'kind' | 'sent'>> {
  // Undefined members are not sent either.
  const sent = JSON.parse(JSON.stringify(await send())) as Sent;
  const surface = kind === 'modal' || kind === 'home' ? kind : 'message';
  const problems = [
    ...checker.blocks(sent.blocks, surface),
    ...(sent.opens ?? []).flatMap(({ blocks }) => checker.blocks(blocks, 'modal')),
  ];
  const [problem] = problems;
  if (problem !== undefined) {
    throw new Error(`Slack would refuse ${problem.pointer}: ${problem.message}`);
  }
  return { kind, sent };
}
