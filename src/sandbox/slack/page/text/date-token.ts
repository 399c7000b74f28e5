/** Where a date is read: the reader's present (seconds) and time zone. */
export type DateContext = { readonly nowSeconds: number; readonly timeZone: string };

/** A date token of mrkdwn or rich text, before it is written out for a reader. */
export type DateToken = {
  readonly timestampSeconds: number;
  readonly format: string;
  readonly fallback: string;
};

const day = 86_400;

type Format = (date: Date, context: DateContext) => string;

const formats: Readonly<Record<string, Format>> = {
  date_num: (date, { timeZone }) => date.toLocaleDateString('en-CA', { timeZone }),
  date: (date, context) => written(date, context, 'long', true),
  date_short: (date, context) => written(date, context, 'short', true),
  date_long: (date, context) =>
    `${weekday(date, context)}, ${written(date, context, 'long', true)}`,
  date_pretty: (date, context) => nearDay(date, context) ?? written(date, context, 'long', false),
  date_short_pretty: (date, context) =>
    nearDay(date, context) ?? written(date, context, 'short', false),
  date_long_pretty: (date, context) =>
    nearDay(date, context) ?? `${weekday(date, context)}, ${written(date, context, 'long', false)}`,
  time: (date, context) => clockTime(date, context, false),
  time_secs: (date, context) => clockTime(date, context, true),
  ago: (date, context) => ago(date, context),
};

/** Writes a date token out as Slack does for one reader; unreadable ones show their fallback. */
export function formatDate(token: DateToken, context: DateContext): string {
  const date = new Date(token.timestampSeconds * 1000);
  if (Number.isNaN(date.getTime())) return token.fallback;
  return token.format.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(formats, name) ? (formats[name]?.(date, context) ?? whole) : whole,
  );
}

function written(
  date: Date,
  { timeZone, nowSeconds }: DateContext,
  month: 'long' | 'short',
  alwaysYear: boolean,
): string {
  const sameYear = date.getUTCFullYear() === new Date(nowSeconds * 1000).getUTCFullYear();
  return date.toLocaleDateString('en-US', {
    timeZone,
    month,
    day: 'numeric',
    ...(alwaysYear || !sameYear ? { year: 'numeric' } : {}),
  });
}

function weekday(date: Date, { timeZone }: DateContext): string {
  return date.toLocaleDateString('en-US', { timeZone, weekday: 'long' });
}

function nearDay(date: Date, context: DateContext): string | undefined {
  const isDay = (seconds: number): boolean =>
    formats['date_num']?.(date, context) ===
    formats['date_num']?.(new Date(seconds * 1000), context);
  if (isDay(context.nowSeconds)) return 'today';
  if (isDay(context.nowSeconds - day)) return 'yesterday';
  return isDay(context.nowSeconds + day) ? 'tomorrow' : undefined;
}

function clockTime(date: Date, { timeZone }: DateContext, seconds: boolean): string {
  return date.toLocaleTimeString('en-US', {
    timeZone,
    hour: 'numeric',
    minute: '2-digit',
    ...(seconds ? { second: '2-digit' } : {}),
  });
}

function ago(date: Date, { nowSeconds }: DateContext): string {
  const seconds = Math.round(date.getTime() / 1000 - nowSeconds);
  const relative = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' });
  const size = Math.abs(seconds);
  if (size < 60) return relative.format(seconds, 'second');
  if (size < 3600) return relative.format(Math.trunc(seconds / 60), 'minute');
  if (size < day) return relative.format(Math.trunc(seconds / 3600), 'hour');
  return relative.format(Math.trunc(seconds / day), 'day');
}
