import { expect } from 'vitest';
import { cardContent } from '../../../src/rollouts/messages/card-view.ts';
import { outcomeContent } from '../../../src/rollouts/messages/outcome-view.ts';
import type { Content } from '../../../src/rollouts/messages/view-parts.ts';
import { PLACE, gvcStory } from './gvc-story.ts';
import type { GvcStory } from './gvc-story.ts';
import { NOON, ready } from './platform-json.ts';
import type { Json } from './platform-json.ts';

/** The card of version 12, which most stories are about. */
export function card(gvc: GvcStory, place = PLACE): Content {
  const telling = gvc
    .told()
    .find(({ outcome, version }) => outcome === undefined && version === 12);
  if (telling === undefined) throw new Error('no card was told');
  return cardContent(place, telling);
}

export function outcome(gvc: GvcStory, place = PLACE): Content {
  const telling = gvc.told().find((one) => one.outcome !== undefined);
  if (telling === undefined) throw new Error('no outcome was told');
  return outcomeContent(place, telling, NOON);
}

/** What a person reads of the blocks, one line each; a row of a table is a line. */
export function read({ blocks }: Content): string[] {
  return blocks.flatMap((block) => {
    if (block.type === 'section') return (block.text?.text ?? '').split('\n');
    if (block.type === 'context') {
      return block.elements.map((element) => ('text' in element ? element.text : ''));
    }
    if (block.type === 'actions') {
      return [block.elements.map((element) => textOf(element)).join(' | ')];
    }
    if (block.type !== 'table') throw new Error(`nobody reads a ${block.type}`);
    return block.rows.map((row) =>
      row.map((cell) => ('text' in cell ? cell.text : '')).join(' | '),
    );
  });
}

function textOf(element: object): string {
  return 'text' in element ? (element.text as { text: string }).text : '';
}

/** Both outcomes and card of one location that breaks in this way. */
export function broke(status: Json): string {
  const gvc = gvcStory({ lima: ready(11) });
  gvc.poll({ lima: status });
  expect(read(card(gvc)).join('\n')).toContain(read(outcome(gvc)).slice(1).join('\n'));
  return read(outcome(gvc)).slice(1).join('\n');
}
