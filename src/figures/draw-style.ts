/**
 * Sizes are in points of a picture 500 wide, drawn with two pixels per point. A phone shows it about
 * 360 wide, so that 16 points of text come to 11 or 12 there.
 */
export const WIDTH = 500;
export const PIXELS_PER_POINT = 2;
export const MARGIN = 14;
export const PLOT_HEIGHT = 250;
export const TEXT_SIZE = 16;
export const LINE_HEIGHT = 24;

export const FONT = 'Purser Chart';
export const BOLD_FONT = 'Purser Chart Bold';

export const INK = '#1d1c1d';
export const FAINT_INK = '#616061';
export const GRID_INK = '#dddddd';
export const BACKGROUND = '#ffffff';

/**
 * Paul Tol's "muted" scheme, which colour-blind people can tell apart, in an order in which dark and
 * light take turns: neighbours in a stack differ in grey, too. The last is for what is left over.
 */
const COLOURS = [
  '#332288',
  '#88ccee',
  '#117733',
  '#ddcc77',
  '#882255',
  '#cc6677',
  '#44aa99',
  '#bbbbbb',
] as const;

export const OTHERS = COLOURS[7];

export function colourOf(series: number): string {
  return COLOURS[series] ?? OTHERS;
}
