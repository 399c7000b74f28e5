import { describe, expect, it } from 'vitest';
import { STATES, type Change } from '../../../../src/changes/change.ts';
import type { Plan } from '../../../../src/changes/kinds/kind.ts';
import { planNow } from '../../../../src/changes/context.ts';
import { createKinds } from '../../../../src/changes/kinds/kinds.ts';
import { messagesOf } from '../../../../src/changes/messages/messages.ts';
import { reviewForm } from '../../../../src/changes/forms/review.ts';
import { showAnswer } from '../../../../src/features/changes/show.ts';
import { createBlockChecker } from '../../../../src/sandbox/slack/block-check.ts';
import { changeOf, REQUESTED_AT } from '../../../support/changes.ts';
import { formHarness, NOW, platformOf } from './harness.ts';
import { memoryIdentities } from '../../../support/identities.ts';

const checker = createBlockChecker();

/** The longest of the texts that a field takes, and as long as can be on its way to Slack. */
const longest = (length: number) => '&'.repeat(length);
const invitees = Array.from({ length: 50 }, (_, n) => `somebodys-invitee-${100 + n}@acme.example`);

/** The longest orders that the forms take; `shows` is sent, and has to be visible. */
const LONGEST = [
  {
    form: 'org.create',
    said: {
      Name: longest(64),
      'Type the name again': longest(64),
      Description: longest(500),
      Tags: `${longest(40)}=${longest(58)}`,
      Invitees: invitees.join(' '),
      'Superuser key': ['yes'],
    },
    shows: [
      longest(64),
      longest(500),
      `${longest(40)}=${longest(58)}`,
      invitees.join(', '),
      'Superuser key: yes',
    ],
  },
  {
    form: 'token.create',
    said: {
      Name: longest(100),
      Description: longest(500),
      Roles: ['billing_admin', 'billing_viewer', 'org_creator'],
      Expires: '2027-12-31',
    },
    shows: [
      longest(100),
      longest(500),
      'billing_admin, billing_viewer, org_creator',
      'Expires: 2027-12-31 23:59 UTC',
    ],
  },
  {
    form: 'user.add',
    said: { 'E-mail': `${longest(241)}@acme.example`, Roles: ['org_creator'] },
    shows: [`${longest(241)}@acme.example`, 'org_creator'],
  },
  {
    form: 'recipient.add',
    said: { 'E-mail': `${longest(241)}@acme.example` },
    shows: [`${longest(241)}@acme.example`, 'Enabled: yes'],
  },
] as const;

/** The change at its end, with the longest possible comment and sentence. */
function ended(change: Change, plan: Plan): Change {
  const at = REQUESTED_AT;
  const by = { userId: 'U0BEN', teamId: 'T0ACME' };
  return {
    ...change,
    decision: { verdict: 'approve', by, at, comment: longest(500), self: false },
    outcome: { at, code: 'otherwise', sentence: longest(200), now: plan.after.slice(0, 1) },
  };
}

/** All text in a value, in its order. */
function readIn(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([key, one]) => (key === 'text' && typeof one === 'string' ? one : readIn(one)))
    .join('');
}

describe('An approver sees the whole request', () => {
  it.each(LONGEST)('as long as $form takes it', async ({ form, said, shows }) => {
    const order = await formHarness().order(form, {}, said);
    const billing = () => platformOf({});
    const context = {
      kindOf: createKinds('USD', memoryIdentities()),
      billing,
      clock: { now: () => NOW },
    };
    const { plan } = await planNow(context, order!);
    const change = changeOf({ title: form, plan });

    const review = reviewForm({ change, plan, isChanged: false }, 'U0BEN');
    const details = showAnswer({ change, audit: [], isOwn: false, mayDecide: true, now: NOW });

    for (const text of shows) {
      expect(readIn(review.blocks)).toContain(text);
      expect(readIn(details.blocks)).toContain(text);
    }
    expect(checker.blocks(review.blocks, 'modal')).toEqual([]);
    for (const state of STATES) {
      for (const message of messagesOf({ ...ended(change, plan), state })) {
        expect(checker.blocks(message.blocks, 'message')).toEqual([]);
        expect(readIn(message).length).toBeLessThan(13_000);
      }
    }
  });
});
