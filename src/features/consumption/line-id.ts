import { createHash } from 'node:crypto';
import { measureKey } from '../../figures/line.ts';
import type { Line } from '../../figures/line.ts';

type Named = Pick<Line, 'labels' | 'measure'>;

/** A text that is equal for equal lines, whatever their figures. */
export function lineKey({ labels, measure }: Named): string {
  return JSON.stringify([measureKey(measure), ...labels]);
}

/** The same in 16 characters: a menu has no room for labels. */
export function lineId(line: Named): string {
  return createHash('sha256').update(lineKey(line)).digest('base64url').slice(0, 16);
}
