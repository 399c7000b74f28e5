import { get } from 'node-emoji';

import type { Inline } from './inline.ts';

/** Names that Slack has and the emoji library spells otherwise. */
const slackNames: Readonly<Record<string, string>> = {
  black_circle_for_record: '⏺️',
  collision: '💥',
  double_vertical_bar: '⏸️',
  flag_us: '🇺🇸',
  face_with_monocle: '🧐',
  heavy_large_circle: '⭕',
  ice_cube: '🧊',
  large_blue_square: '🟦',
  large_brown_circle: '🟤',
  large_brown_square: '🟫',
  large_green_circle: '🟢',
  large_green_square: '🟩',
  large_orange_circle: '🟠',
  large_orange_square: '🟧',
  large_purple_circle: '🟣',
  large_purple_square: '🟪',
  large_red_square: '🟥',
  large_yellow_circle: '🟡',
  large_yellow_square: '🟨',
  pencil: '📝',
  robot_face: '🤖',
  simple_smile: '🙂',
  thinking_face: '🤔',
  thumbsdown: '👎',
  thumbsup: '👍',
  white_small_square: '▫️',
};

/** The emoji of a Slack short name (without colons), or nothing when there is no such emoji. */
export function findEmoji(name: string): Extract<Inline, { type: 'emoji' }> | undefined {
  const base = name.replace(/::skin-tone-[2-6]$/, '');
  const glyph = Object.hasOwn(slackNames, base) ? slackNames[base] : get(base);
  return glyph === undefined ? undefined : { type: 'emoji', name, glyph };
}

const shortName = /:([a-z0-9_+'-]+(?:::skin-tone-[2-6])?):/g;

/** `plain_text` with `emoji: true`: short names become emoji, everything else stays as it is. */
export function parsePlainText(text: string, emoji = true): Inline[] {
  const nodes: Inline[] = [];
  let from = 0;
  for (const match of emoji ? text.matchAll(shortName) : []) {
    const found = findEmoji(match[1] ?? '');
    if (found === undefined || match.index < from) continue;
    nodes.push(...lines(text.slice(from, match.index)), found);
    from = match.index + match[0].length;
  }
  return [...nodes, ...lines(text.slice(from))];
}

function lines(text: string): Inline[] {
  return text
    .split('\n')
    .flatMap((line, index): Inline[] => [
      ...(index > 0 ? [{ type: 'break' } as const] : []),
      ...(line === '' ? [] : [{ type: 'text', text: line } as const]),
    ]);
}
