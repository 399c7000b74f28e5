import type { Shown } from '../../src/rollouts/play.ts';
import { BEGINNING } from './status.ts';

/** One workload that a message is about. */
export interface Post {
  readonly at: number;
  readonly isLoud: boolean;
  /** It is named in the key, not only covered. */
  readonly isOwn: boolean;
  readonly version: number;
  readonly word: string;
  readonly text: string;
}

const TROUBLE = new Set('failed unhealthy stuck stale crashloop'.split(' '));
const GOOD = new Set(['ready', 'recovered', 'resumed']);
const ENDS = new Set([...GOOD, 'suspended', 'gone']);

export const isTrouble = ({ word }: Post): boolean => TROUBLE.has(word);
export const isGood = ({ word }: Post): boolean => GOOD.has(word);
export const isEnd = ({ word }: Post): boolean => ENDS.has(word);

export function isLoud({ how }: Shown): boolean {
  return how === 'post' || how === 'broadcast';
}

/** The messages about each workload (`org/gvc/workload`): by their keys and by those that they cover. */
export function postsByWorkload(shown: readonly Shown[]): Map<string, Post[]> {
  const all = new Map<string, Post[]>();
  for (const one of shown) {
    if (one.how === 'edit') continue;
    const at = (Date.parse(one.at) - BEGINNING) / 60_000;
    for (const key of new Set([one.key, ...(one.covers ?? [])])) {
      const [org, gvc, workload = '@', version, word = ''] = key.split('/');
      if (workload.startsWith('@') || gvc?.startsWith('@') === true) continue;
      const name = `${org}/${gvc}/${workload}`;
      const of = { isLoud: isLoud(one), isOwn: key === one.key };
      const post = { at, ...of, version: Number(version), word, text: one.text };
      all.set(name, [...(all.get(name) ?? []), post]);
    }
  }
  return all;
}
