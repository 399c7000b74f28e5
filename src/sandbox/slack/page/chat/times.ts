/** Times as Slack writes them beside messages; `ts` is seconds since the epoch as Slack sends it. */
export type Reader = { readonly now: Date; readonly timeZone: string };

const milliseconds = (ts: string): number => Math.floor(Number(ts) * 1000);

/** "9:05 AM" */
export function clockTime(ts: string, { timeZone }: Pick<Reader, 'timeZone'>): string {
  return new Date(milliseconds(ts)).toLocaleTimeString('en-US', {
    timeZone,
    hour: 'numeric',
    minute: '2-digit',
  });
}

/** A day as a sortable word, to separate days. */
export function dayOf(ts: string, { timeZone }: Pick<Reader, 'timeZone'>): string {
  return new Date(milliseconds(ts)).toLocaleDateString('en-CA', { timeZone });
}

/** "Today", "Yesterday", "Tuesday, October 7th", with the year when it is another one. */
export function dayLabel(ts: string, reader: Reader): string {
  const day = dayOf(ts, reader);
  const now = reader.now.getTime() / 1000;
  if (day === dayOf(String(now), reader)) return 'Today';
  if (day === dayOf(String(now - 86_400), reader)) return 'Yesterday';
  const date = new Date(`${day}T12:00:00Z`);
  const name = (part: Intl.DateTimeFormatOptions): string =>
    date.toLocaleDateString('en-US', { ...part, timeZone: 'UTC' });
  const thisYear = day.slice(0, 4) === dayOf(String(now), reader).slice(0, 4);
  const words = `${name({ weekday: 'long' })}, ${name({ month: 'long' })} ${ordinal(date.getUTCDate())}`;
  return thisYear ? words : `${words}, ${day.slice(0, 4)}`;
}

/** "just now", "5 minutes ago", "3 hours ago", "2 days ago" */
export function agoLabel(ts: string, now: Date): string {
  const seconds = Math.max(0, Math.floor(now.getTime() / 1000 - Number(ts)));
  if (seconds < 60) return 'just now';
  if (seconds < 3600) return counted(Math.floor(seconds / 60), 'minute');
  if (seconds < 86_400) return counted(Math.floor(seconds / 3600), 'hour');
  return counted(Math.floor(seconds / 86_400), 'day');
}

const counted = (count: number, unit: string): string =>
  `${count} ${unit}${count === 1 ? '' : 's'} ago`;

function ordinal(day: number): string {
  const teen = day % 100 >= 11 && day % 100 <= 13;
  const ending = teen ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
  return `${day}${ending}`;
}
