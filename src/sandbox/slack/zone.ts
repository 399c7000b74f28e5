import type { Json } from './json.ts';

/**
 * The time zone in a `user` object at `now` (ms since the epoch): the label
 * and the offset, in seconds, are those of summer in summer.
 * @param zone IANA name, such as Europe/Berlin
 */
export function zoneFields(zone: string, now: number): Json {
  return {
    tz: zone,
    tz_label: nameOf(zone, now, 'long'),
    tz_offset: secondsOf(nameOf(zone, now, 'longOffset')),
  };
}

function nameOf(zone: string, now: number, style: 'long' | 'longOffset'): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: style });
  return format.formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** Of "GMT-04:00"; UTC itself is "GMT". */
function secondsOf(offset: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
  const seconds = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60;
  return sign === '-' ? -seconds : seconds;
}
