import type { KnownBlock } from '@slack/types';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBlockChecker } from '../../src/sandbox/slack/block-check.ts';
import type { Entry, Sent } from '../catalogue/entry.ts';
import { hostileScenes } from '../catalogue/hostile.ts';

const LONGEST_TEXT = 4_000;
const checker = createBlockChecker();
let scenes: Awaited<ReturnType<typeof hostileScenes>>;

beforeAll(async () => {
  scenes = await hostileScenes();
});
afterAll(() => scenes.remove());

/** The problems of a scene; undefined where the names are refused before there is a message. */
async function problemsOf({ id, kind, send }: Entry): Promise<string[] | undefined> {
  let sent: Sent;
  try {
    sent = JSON.parse(JSON.stringify(await send())) as Sent;
  } catch {
    return undefined;
  }
  const surface = kind === 'modal' || kind === 'home' ? kind : 'message';
  const windows = (sent.opens ?? []).flatMap(({ blocks }) => blocks);
  const text = sent.text ?? '';
  const acted = [text, ...mrkdwnIn([sent.blocks, windows])].join('\n');
  return [
    ...checker.blocks(sent.blocks, surface).map(({ pointer, message }) => `${pointer}: ${message}`),
    ...(sent.opens ?? [])
      .flatMap(({ blocks }) => checker.blocks(blocks, 'modal'))
      .map(({ pointer, message }) => `window ${pointer}: ${message}`),
    ...(text.length > LONGEST_TEXT ? [`text of ${text.length} characters`] : []),
    ...(/<!channel>|\u202E/.test(acted) ? ['a name notifies people or turns the text'] : []),
  ].map((problem) => `${id}: ${problem}`);
}

/** The texts that Slack acts on: rich text and plain text are shown as they are. */
function mrkdwnIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('type' in value && value.type === 'mrkdwn' && 'text' in value) return [String(value.text)];
  return Object.values(value as Record<string, KnownBlock>).flatMap(mrkdwnIn);
}

const WEAPONS = '<!channel>*_`&amp;\u202E\u0000😀\uD83D__proto__';

it.each([
  ['as long as the platform allows', (name: string) => name.padEnd(60, '-so-very-long'), 0.95],
  ['made to do harm', (name: string) => `${name}${WEAPONS}`.padEnd(500, '&<'), 0.9],
])(
  'every message, window and home tab stays within the limits of Slack, with names %s',
  async (_, rename, shown) => {
    const areas = await scenes.load(rename);
    const found: (string[] | undefined)[] = [];
    for (const entry of areas.flatMap(({ entries }) => entries)) {
      found.push(await problemsOf(entry));
    }

    const sent = found.filter((problems) => problems !== undefined);
    expect(sent.flat()).toEqual([]);
    // The others type names that no command takes, or look for a message by its key.
    expect(sent.length / found.length).toBeGreaterThanOrEqual(shown);
  },
  240_000,
);
