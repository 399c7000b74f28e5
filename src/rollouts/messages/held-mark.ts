import type { Mute } from '../mutes.ts';

/** What is muted, or what a message is about; what is absent holds everything. */
type Place = Pick<Mute, 'org' | 'gvc' | 'workload'>;

const EVERYTHING = '*';

/**
 * The mark under which a mute holds a message back: the place that the message is about, which may
 * still be muted when this mute is over, and the place that is muted where that is another one.
 * Names have no spaces: `acme/shop/cart acme/shop`.
 */
export function heldMark(about: Place, mute: Place): string {
  const [own, muted] = [textOf(about), textOf(mute)];
  return own === muted ? own : `${own} ${muted}`;
}

/** @returns `muted`: as `org/gvc/workload` or the beginning of it, '' for everything */
export function readHeldMark(mark: string): { about: Place; muted: string } {
  const [own = '', muted = own] = mark.split(' ');
  const [org, gvc, workload] = own.split('/');
  const about = {
    ...(org === undefined ? {} : { org }),
    ...(gvc === undefined ? {} : { gvc }),
    ...(workload === undefined ? {} : { workload }),
  };
  return { about, muted: muted === EVERYTHING ? '' : muted };
}

function textOf({ org, gvc, workload }: Place): string {
  const parts = [org, gvc, workload].filter((part) => part !== undefined);
  return parts.length === 0 ? EVERYTHING : parts.join('/');
}
