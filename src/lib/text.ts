/**
 * Control characters (all but tab and line feed) and the marks that change the writing direction or take no
 * space: with them a text can look like another one. The joiners that emoji and some scripts need (U+200C,
 * U+200D) stay.
 */
const INVISIBLE = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\u200B\u2060-\u2064\uFEFF]/gu;

/** Removes control, bidirectional and zero-width characters; every line break becomes a line feed. */
export function stripControl(text: string): string {
  return text.replace(/\r\n?|[\u2028\u2029]/g, '\n').replace(INVISIBLE, '');
}

/** At most `max` code points, ending in an ellipsis if cut. A surrogate pair is never divided. */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text;

  // A code point has at most two units; the text may be a whole file.
  const points = Array.from(text.slice(0, 2 * max + 2));
  return points.length <= max ? text : `${points.slice(0, Math.max(0, max - 1)).join('')}…`;
}

/**
 * At most `max` code points; cut in the middle, because names differ at their ends.
 * @example shorten('orders-reconciliation-worker', 17) // 'orders-r…n-worker'
 */
export function shorten(text: string, max: number): string {
  const points = Array.from(text);
  if (points.length <= max) return text;
  const end = Math.floor((max - 1) / 2);
  return [...points.slice(0, max - 1 - end), '…', ...points.slice(points.length - end)].join('');
}

/** Line breaks, with the blanks around them, become a blank. */
export function joinLines(text: string): string {
  return text.replace(/\s+/g, (blanks) => (blanks.includes('\n') ? ' ' : blanks));
}

/** Limit for a text of the platform: a state of thousands of records holds many. UTF-8 bytes. */
const MAX_FOREIGN = 4 * 1024;

/** At most 4 KB of whole characters, ending in an ellipsis if cut. */
export function cutForeign(text: string): string {
  // A UTF-16 unit takes at most three bytes.
  if (text.length * 3 <= MAX_FOREIGN || Buffer.byteLength(text) <= MAX_FOREIGN) return text;
  const bytes = Buffer.from(text.slice(0, MAX_FOREIGN));
  let end = MAX_FOREIGN - Buffer.byteLength('…');
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return `${bytes.toString('utf8', 0, end)}…`;
}

/**
 * Without full stops and blanks at the end. Not a regular expression: with many blanks it would be quadratic.
 */
export function withoutStop(text: string): string {
  let end = text.length;
  while (end > 0 && /[.\s]/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** "1 replica", "2,000 replicas"; `many` for irregular plurals. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

const collator = new Intl.Collator('en', { sensitivity: 'base' });
const natural = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

/** Ignores case; only identical texts are equal. */
export function compareNames(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : Number(a > b));
}

/** The same with `web-2` before `web-10`. */
export function compareNatural(a: string, b: string): number {
  return natural.compare(a, b) || (a < b ? -1 : Number(a > b));
}

const units = [
  { name: 'd', seconds: 86_400 },
  { name: 'h', seconds: 3_600 },
  { name: 'min', seconds: 60 },
  { name: 's', seconds: 1 },
] as const;

/** The two largest units that matter, from whole seconds: "1 min 5 s", "2 h", "0 s". */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  const largest = units.findIndex((unit) => seconds >= unit.seconds);
  if (largest === -1) return '0 s';

  let rest = seconds;
  const parts: string[] = [];
  for (const unit of units.slice(largest, largest + 2)) {
    const amount = Math.floor(rest / unit.seconds);
    rest -= amount * unit.seconds;
    if (amount > 0) parts.push(`${amount} ${unit.name}`);
  }
  return parts.join(' ');
}

/** One unit: "just now" under 5 s, then "12 s ago", "3 h ago". */
export function formatAge(ms: number): string {
  if (ms < 5_000) return 'just now';

  return `${formatDuration(ms).split(' ').slice(0, 2).join(' ')} ago`;
}
