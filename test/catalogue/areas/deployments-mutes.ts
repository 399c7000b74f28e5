import { mutesAnswer } from '../../../src/features/deployments/mute.ts';
import { DAY, HOUR, NOW, answer, type Area, type Entry } from '../entry.ts';
import { OPS, harness, mute } from './deployments-data.ts';

/** The answer to the last line, after other ones. */
function typed(
  id: string,
  when: string,
  ...lines: readonly [...before: string[], last: string]
): Entry {
  return answer(`deployments-${id}`, when, async () => {
    const at = harness();
    for (const line of lines.slice(0, -1)) await at.type(line);
    return at.type(lines.at(-1) ?? '');
  });
}

/** Where the list is asked for. */
const HERE = { channel: OPS, here: true, defaultOrg: 'acme' };

export const deploymentsMutes: Area = {
  id: 'deployments-mutes',
  title: '/deployments mute',
  entries: [
    typed('mute-workload', 'A workload is muted.', 'watch shop', 'mute 8h shop/cart'),
    typed('mute-gvc', 'A GVC is muted.', 'watch shop', 'mute 30m shop'),
    typed(
      'mute-other-org',
      'A GVC is muted in an org that has to be named.',
      'watch shop org beta',
      'mute 2d shop org beta',
    ),
    typed('mute-org', 'All of an org is muted.', 'watch shop', 'mute 8h org acme'),
    typed('mute-channel', 'Everything that the channel watches is muted.', 'watch shop', 'mute 8h'),
    typed(
      'mute-other-channel',
      'A workload is muted in another channel.',
      'watch shop in <#C0DEPLOYS|deploys>',
      'mute 8h shop/cart in <#C0DEPLOYS|deploys>',
    ),
    typed(
      'mute-within-longer',
      'The workload stays silent for longer, because its GVC is muted.',
      'watch shop',
      'mute 2d shop',
      'mute 30m shop/cart',
    ),
    typed('mute-nothing-watched', 'The channel does not watch the GVC to be muted.', 'mute 8h lab'),
    typed('mute-channel-without-watch', 'The channel watches nothing at all.', 'mute 8h'),
    typed(
      'unmute-workload',
      'A mute ends before its time.',
      'watch shop',
      'mute 8h shop',
      'mute off shop',
    ),
    typed(
      'unmute-channel',
      'All mutes of the channel end.',
      'watch shop',
      'mute 8h shop',
      'mute off',
    ),
    typed(
      'unmute-within-wider',
      'A mute ends, and another one around it goes on.',
      'watch shop',
      'mute 2d shop',
      'mute 8h shop/cart',
      'mute off shop/cart',
    ),
    typed(
      'unmute-org',
      'The mutes of an org end.',
      'watch shop',
      'mute 8h shop',
      'mute off org acme',
    ),
    typed(
      'unmute-narrower',
      'The GVC is muted, and not the named workload alone.',
      'watch shop',
      'mute 2d shop',
      'mute off shop/cart',
    ),
    typed(
      'mute-nothing-watched-elsewhere',
      'Another channel does not watch the GVC to be muted, in an org that has to be named.',
      'mute 8h lab org beta in <#C0DEPLOYS|deploys>',
    ),
    typed('unmute-nothing', 'No mute has that name.', 'mute off shop/cart'),
    typed('unmute-nothing-in-channel', 'The channel has no mute.', 'mute off'),
    answer('deployments-mutes-none', 'A list of the mutes: empty.', () => mutesAnswer(HERE, [])),
    answer('deployments-mutes-one', 'A list of the mutes: one GVC.', () =>
      mutesAnswer(HERE, [mute()]),
    ),
    answer('deployments-mutes-every-scope', 'A list of the mutes: one of each scope.', () => {
      const { org: _, gvc: __, ...everything } = mute({ until: NOW + 2 * DAY, by: 'U0ADA' });
      const { gvc: ___, ...org } = mute({ until: NOW + DAY });
      return mutesAnswer(HERE, [everything, org, mute(), mute({ workload: 'cart', by: 'U0CLEO' })]);
    }),
    answer('deployments-mutes-many', 'A list of the mutes: a lot.', () =>
      mutesAnswer(
        HERE,
        Array.from({ length: 33 }, (_, index) =>
          mute({ workload: `web-${index + 1}`, until: NOW + (index + 1) * HOUR }),
        ),
      ),
    ),
  ],
};
