import type { BlockProblem } from './block-rules.ts';
import type { Json } from './json.ts';

/** Where blocks are shown; Slack introduces new ones place by place. */
export type Place = 'private' | 'message' | 'home';
const PLACES: readonly Place[] = ['private', 'message', 'home'];

/** Types of blocks that this workspace does not take, as one that does not have them yet. */
export interface BlockRefusals {
  /** Replaces the former list; without places everywhere. */
  set(types: readonly string[], places?: readonly string[]): void;
  problems(place: Place, blocks: readonly Json[]): BlockProblem[];
}

export function createBlockRefusals(): BlockRefusals {
  let refused = new Set<string>();
  let where: readonly string[] = PLACES;
  return {
    set(types, places = []) {
      refused = new Set(types);
      where = places.length === 0 ? PLACES : places;
    },
    problems(place, blocks) {
      if (!where.includes(place)) return [];
      return blocks.flatMap(({ type }, index) =>
        refused.has(String(type))
          ? [
              {
                pointer: `/blocks/${index}`,
                code: 'unsupported_type',
                message: `unsupported type: ${String(type)}`,
              },
            ]
          : [],
      );
    },
  };
}
