import type { Place } from './model.ts';

/** The page's address: `?user=U1#C1`, `?user=U1#app-home`, `#tour=approval`. */
export type Address = {
  readonly user: string | null;
  readonly place: Place | null;
  /** The step of the tour. */
  readonly tour?: string;
};

/** Reads the page's address, so that a reload and a second window find the same person and place. */
export function readAddress(location: { search: string; hash: string }): Address {
  const hash = location.hash.replace(/^#/, '');
  const user = new URLSearchParams(location.search).get('user');
  if (hash === 'app-home') return { user, place: { type: 'app', tab: 'home' } };
  if (hash === 'app-messages') return { user, place: { type: 'app', tab: 'messages' } };
  const tour = /^tour=(\w+)$/.exec(hash)?.[1];
  if (tour !== undefined) return { user, place: null, tour };
  return { user, place: hash === '' ? null : { type: 'channel', id: hash } };
}

/** Writes the address of a person and a place, or of a step of the tour. */
export function writeAddress(user: string, place: Place, tour: string | undefined): string {
  const hash =
    tour !== undefined ? `tour=${tour}` : place.type === 'app' ? `app-${place.tab}` : place.id;
  return `?${new URLSearchParams({ user }).toString()}#${hash}`;
}
