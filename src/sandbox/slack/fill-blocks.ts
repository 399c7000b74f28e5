import type { Ids } from './ids.ts';
import { asList, asText, isJson, type Block, type Json } from './json.ts';

const HAS_NO_ACTION = new Set(['image', 'plain_text', 'mrkdwn']);

function fillElement(value: unknown, ids: Ids): unknown {
  if (!isJson(value) || HAS_NO_ACTION.has(asText(value['type']) ?? '')) return value;
  return { ...value, action_id: value['action_id'] ?? ids.next('a') };
}

/** Gives every block a `block_id` and every interactive element an `action_id`, as Slack does. */
export function fillBlocks(blocks: readonly Json[], ids: Ids): Block[] {
  return blocks.map((block) => {
    const filled: Block = {
      ...block,
      type: asText(block['type']) ?? '',
      block_id: asText(block['block_id']) ?? ids.next('b'),
    };
    if (filled.type === 'actions' && Array.isArray(block['elements'])) {
      filled['elements'] = block['elements'].map((element) => fillElement(element, ids));
    }
    if (filled.type === 'data_table' && Array.isArray(block['rows'])) {
      filled['rows'] = block['rows'].map((row: unknown) =>
        asList(row).map((cell) =>
          isJson(cell) && cell['type'] === 'action_cell'
            ? { ...cell, element: fillElement(cell['element'], ids) }
            : cell,
        ),
      );
    }
    for (const place of ['accessory', 'element'] as const) {
      if (block[place]) filled[place] = fillElement(block[place], ids);
    }
    return filled;
  });
}
