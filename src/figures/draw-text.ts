import type { SKRSContext2D } from '@napi-rs/canvas';
import { FONT, INK, TEXT_SIZE } from './draw-style.ts';

export interface Ink {
  readonly font?: string;
  readonly color?: string;
  readonly align?: 'left' | 'right';
}

/** Half the height of a capital, in parts of the size: what the eye takes for the middle. */
const HALF_CAPITAL = 0.365;

/** Writes one line of text whose middle is at a height. */
export function write(ctx: SKRSContext2D, text: string, x: number, y: number, ink: Ink = {}): void {
  ctx.font = fontOf(ink);
  ctx.fillStyle = ink.color ?? INK;
  ctx.textAlign = ink.align ?? 'left';
  ctx.fillText(text, x, y + HALF_CAPITAL * TEXT_SIZE);
}

/** How wide a text is, in points. */
export function widthOf(ctx: SKRSContext2D, text: string, ink: Ink = {}): number {
  ctx.font = fontOf(ink);
  return ctx.measureText(text).width;
}

function fontOf({ font = FONT }: Ink): string {
  return `${TEXT_SIZE}px "${font}"`;
}

/** The text as far as it fits into a width, with an ellipsis at its end where it does not. */
export function fitted(ctx: SKRSContext2D, text: string, width: number, ink: Ink = {}): string {
  if (widthOf(ctx, text, ink) <= width) return text;

  const points = Array.from(text);
  const cut = (length: number) => `${points.slice(0, length).join('').trimEnd()}…`;
  let length = points.length - 1;
  while (length > 0 && widthOf(ctx, cut(length), ink) > width) length -= 1;
  return cut(length);
}

/** A text broken between words into at most two lines. */
export function inTwoLines(
  ctx: SKRSContext2D,
  text: string,
  width: number,
  ink: Ink = {},
): readonly string[] {
  if (widthOf(ctx, text, ink) <= width) return [text];

  const words = text.split(' ');
  let taken = words.length - 1;
  const first = () => words.slice(0, taken).join(' ');
  while (taken > 1 && widthOf(ctx, first(), ink) > width) taken -= 1;
  const lines = [first(), words.slice(taken).join(' ')].filter((line) => line !== '');
  return lines.map((line) => fitted(ctx, line, width, ink));
}
