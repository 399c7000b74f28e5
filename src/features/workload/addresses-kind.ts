import type { KnownBlock } from '@slack/types';
import { code, LIMITS, mrkdwn, section } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';

/** An address to be copied: as a whole, because a cut one would be a wrong one. */
export function copyable(address: string): Mrkdwn {
  return code(address, 600);
}

/** One kind of address: its name, when to use it, and the addresses, in as many sections as they take. */
export function kind(name: string, use: Mrkdwn, addresses: readonly Mrkdwn[]): KnownBlock[] {
  const sections: Mrkdwn[] = [];
  let open = mrkdwn`*${name}* – ${use}`;
  for (const address of addresses) {
    const longer = mrkdwn`${open}\n${address}`;
    const fits = longer.text.length <= LIMITS.sectionText;
    if (!fits) sections.push(open);
    open = fits ? longer : address;
  }
  return [...sections, open].map((text) => section(text));
}
