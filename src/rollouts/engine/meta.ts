import type { RecordMemory } from './classify.ts';
import type { Sightings } from './sighting.ts';

/** What is remembered of the lists of a GVC. Times in milliseconds since the epoch. */
export interface Meta {
  adoptedAt: number;
  /** When the list became suddenly empty. */
  emptySince: number | null;
  /** Keys of records that the first list could not read, and none since. */
  unread?: readonly string[];
  /** Items that do not say who they are: how many, and since when there are so many. */
  odd?: { count: number; since: number };
}

const NONE: ReadonlySet<string> = new Set();
/** What is odd for so long was odd before the record that is looked for was lacking. */
const ODD_MS = 10 * 60_000;

/** @returns the very object that was there when nothing has changed */
export function nextMeta(
  before: { meta: Meta | undefined; records: Readonly<Record<string, RecordMemory>> },
  sightings: Sightings,
  now: number,
): Meta {
  const { meta, records } = before;
  const { seen, unreadable, unidentified } = sightings;
  const empty = seen.length === 0 && unreadable.length === 0;
  const emptySince =
    empty && Object.values(records).some((record) => record.state !== 'gone')
      ? (meta?.emptySince ?? now)
      : null;
  const unread = stillUnread(meta, unreadable);
  const odd = unidentified === meta?.odd?.count ? meta.odd : { count: unidentified, since: now };
  const isSame =
    meta?.emptySince === emptySince &&
    unread.length === (meta.unread?.length ?? 0) &&
    odd.count === (meta.odd?.count ?? 0);
  if (meta !== undefined && isSame) return meta;
  return {
    adoptedAt: meta?.adoptedAt ?? now,
    emptySince,
    ...(unread.length === 0 ? {} : { unread }),
    ...(odd.count === 0 ? {} : { odd }),
  };
}

function stillUnread(meta: Meta | undefined, unreadable: readonly string[]): readonly string[] {
  if (meta === undefined) return unreadable;
  if (meta.unread === undefined) return [];
  const now = new Set(unreadable);
  return meta.unread.filter((key) => now.has(key));
}

/** Keys of records that a list shows for the first time, although they were there at the first poll. */
export function foundIn(meta: Meta | undefined, { seen }: Sightings): ReadonlySet<string> {
  if (meta?.unread === undefined) return NONE;
  const unread = new Set(meta.unread);
  return new Set(seen.map(({ key }) => key).filter((key) => unread.has(key)));
}

/** A list with odd items does not prove that a record is gone, until they have been there for ten minutes. */
export function provesAbsence({ odd }: Meta, now: number): boolean {
  return odd === undefined || now - odd.since >= ODD_MS;
}
