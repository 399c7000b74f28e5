import * as fc from '../../../support/fast-check.ts';
import { expect, it } from 'vitest';
import { accountAnswer } from '../../../../src/features/billing/answers.ts';
import {
  orgsAnswer,
  quotasAnswer,
  recipientsAnswer,
  tokensAnswer,
  usersAnswer,
} from '../../../../src/features/billing/lists.ts';
import { layOut } from '../../../../src/slack/replies/reply.ts';
import { LIMITS } from '../../../../src/slack/kit/text.ts';
import type { Answer } from '../../../../src/slack/routing/routes.ts';
import { hostile } from '../../slack/hostile.ts';
import { account, frame, NOW, token } from './scenario.ts';

/** Every answer of `/billing`, with a foreign text wherever one can be, `count` times each. */
function answersWith(text: string, count: number): Answer[] {
  const many = <T>(make: (index: number) => T) => Array.from({ length: count }, (_, i) => make(i));
  const common = { ...frame, skipped: count };
  const foreign = account({
    id: text,
    accountId: text,
    fullName: text,
    email: text,
    address: many(() => text),
    paymentMethods: many(() => ({ brand: text, last4: text })),
  });
  const email = text;
  return [
    accountAnswer({
      account: foreign,
      orgCount: count,
      accounts: { items: many(() => foreign), skipped: count },
      currency: 'USD',
      readAt: NOW,
      now: NOW,
    }),
    orgsAnswer({
      ...common,
      items: many((i) => ({ name: `${i}${text}`, accountId: text, created: undefined })),
      payers: new Map(many((i) => [`${i}${text}`, text])),
    }),
    usersAnswer({ ...common, items: many(() => ({ email, roles: ['billing_admin'] })) }),
    tokensAnswer({
      ...common,
      items: many(() => token({ id: text, name: text, description: text, createdBy: text })),
    }),
    recipientsAnswer({
      ...common,
      items: many(() => ({ id: text, email, enabled: undefined })),
    }),
    quotasAnswer({
      ...common,
      org: text,
      items: many((i) => new Map([[`${i}${text}`, text]])),
    }),
  ];
}

function textsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'text' in value && typeof value.text === 'string' ? [value.text] : [];
  return [...own, ...Object.values(value).flatMap(textsOf)];
}

// Laying out 25 long hostile texts takes from half a second to half a minute.
it(
  'whatever the platform says is text, and within the limits of Slack',
  { timeout: 120_000 },
  () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 1, max: 25 }), (text, count) => {
        for (const answer of answersWith(text, count)) {
          const blocks = layOut(answer.blocks, '00000000-0000-4000-8000-000000000000');
          const beside = blocks.filter(({ type }) => type !== 'data_table');
          const texts = textsOf(beside);
          const prose = textsOf(beside.filter(({ type }) => type !== 'table'));

          expect(blocks.length).toBeLessThanOrEqual(LIMITS.messageBlocks);
          expect(texts.join('').length).toBeLessThanOrEqual(LIMITS.messageCharacters);
          expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(
            LIMITS.sectionText,
          );
          expect(texts).not.toContain('');
          expect(prose.join(' ')).not.toMatch(/[<>]/);
          expect(JSON.stringify(blocks)).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
        }
      }),
      { numRuns: 25 },
    );
  },
);
