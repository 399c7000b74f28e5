import type { KnownBlock } from '@slack/types';
import type { Change } from '../../changes/change.ts';
import type { Counter } from '../../changes/reveal.ts';
import { REVEAL_ACTION } from '../../changes/messages/actions.ts';
import { titleOf } from '../../changes/messages/words.ts';
import { code, context, joinMrkdwn, mrkdwn, section } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { RevealRoute } from '../../slack/routes.ts';

const TITLE = 'Shown once';

/** **Reveal**: the secret, once, to the one who asked for it (design section 5). */
export function createReveal(counter: Counter): RevealRoute {
  return {
    actionId: REVEAL_ACTION,
    title: TITLE,
    async take({ person, value = '' }) {
      const taken = await counter.take(person, value);
      return {
        title: TITLE,
        blocks: secretBlocks(taken.change, taken.secret.reveal()),
        shown: () => taken.shown(),
        lost: () => taken.lost(),
      };
    },
  };
}

function secretBlocks(change: Change, secret: string): KnownBlock[] {
  const what = change.secret?.what ?? 'secret';
  const facts = factsOf(change);
  return [
    section(
      mrkdwn`*${titleOf(change)}*\nThis is the ${what}. *It is shown this once*: copy it now, and keep it where secrets are kept.`,
    ),
    // Preformatted rich text is the one block that shows every character as it is.
    {
      type: 'rich_text',
      elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: secret }] }],
    },
    ...(facts.length === 0 ? [] : [context(joinMrkdwn(facts, ' · '))]),
  ];
}

/** What the secret is good for. */
function factsOf({ order }: Change): Mrkdwn[] {
  if (order.kind === 'org.create') {
    return [mrkdwn`It can do everything in the org ${code(order.name)}`];
  }
  if (order.kind !== 'token.create') return [];
  const roles = order.roles.map((role) => code(role));
  const end = order.expiresAt === undefined ? 'never' : order.expiresAt.slice(0, 10);
  return [
    mrkdwn`Name: ${order.name}`,
    mrkdwn`Roles: ${joinMrkdwn(roles, ', ')}`,
    mrkdwn`Expires: ${end}`,
  ];
}
