import type { KnownBlock, RichTextBlock, RichTextElement } from '@slack/types';
import { messagesOf } from '../../../../src/changes/messages/messages.ts';
import type { Change } from '../../../../src/changes/change.ts';
import type { Message } from '../../../../src/notify/message.ts';
import { changeOf, REASON, REQUESTED_AT } from '../../../support/changes.ts';

const MINUTE = 60_000;
/** When everything in these tests is decided. */
export const DECIDED_AT = REQUESTED_AT + 10 * MINUTE;

export const APPROVED = {
  verdict: 'approve',
  by: { userId: 'U0BEN', teamId: 'T0ACME' },
  at: DECIDED_AT,
  comment: '',
  self: false,
} as const;

/** A token that was created, with this state of its secret. */
export function createdToken(secret: Partial<NonNullable<Change['secret']>>): Change {
  return changeOf({
    order: { kind: 'token.create', name: 'ci', description: '', roles: ['billing_viewer'] },
    title: 'Create the token ci',
    state: 'succeeded',
    decision: APPROVED,
    plan: { before: [], after: [{ name: 'Name', text: 'ci' }], consequences: [] },
    outcome: { at: DECIDED_AT, code: 'done', sentence: 'The token ci was created.' },
    secret: {
      state: 'sealed',
      what: 'token',
      at: DECIDED_AT,
      until: DECIDED_AT + 15 * MINUTE,
      tokenId: 'token-1',
      ...secret,
    },
  });
}

/** The message of that name about a change; undefined when nothing is there. */
export function messageOf(change: Change, name: string): Message | undefined {
  return messagesOf(change).find(({ key }) => key === `@changes/${change.id}/${name}`);
}

/**
 * A message as people see it, one line each; buttons and items of a menu as `[Review]`, moments as times in UTC.
 * Without the reason of `changeOf`, which has a test of its own.
 */
export function linesOf(message: Pick<Message, 'blocks'> | undefined): string[] {
  const lines = (message?.blocks ?? [])
    .flatMap(textsOf)
    .flatMap((text) => spoken(text).split('\n'));
  return lines.filter((line) => line !== `> ${REASON}`);
}

function spoken(text: string): string {
  return text.replaceAll(/<!date\^\d+\^[^|>]*\|\S+ (\d\d:\d\d) UTC>/g, '$1');
}

function textsOf(block: KnownBlock): string[] {
  if (block.type === 'rich_text') return richLines(block);
  if (block.type === 'section') return [block.text?.text ?? ''];
  if (block.type === 'context') {
    return [block.elements.map((one) => ('text' in one ? one.text : '')).join(' | ')];
  }
  if (block.type === 'alert') return [`${block.level}: ${block.text.text}`];
  if (block.type !== 'actions') return [block.type];
  return block.elements.flatMap((one) => {
    if (one.type === 'overflow') return one.options.map(({ text }) => `[${text.text}]`);
    return 'text' in one ? `[${one.text?.text ?? ''}]` : one.type;
  });
}

/** Rich text as it would be written in mrkdwn, so that it reads like the rest. */
function richLines({ elements }: RichTextBlock): string[] {
  return elements.flatMap((one) =>
    one.type === 'rich_text_list'
      ? one.elements.map((item) => `• ${item.elements.map(marked).join('')}`)
      : [one.elements.map(marked).join('')],
  );
}

function marked(element: RichTextElement): string {
  if (element.type === 'user') return `<@${element.user_id}>`;
  if (element.type === 'date') return element.fallback?.slice(11, 16) ?? '';
  if (element.type !== 'text') return element.type;
  const { text, style } = element;
  if (style?.code === true) return `\`${text}\``;
  return style?.bold === true ? `*${text}*` : text;
}
