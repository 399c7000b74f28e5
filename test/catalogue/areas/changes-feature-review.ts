import { BigNumber } from 'bignumber.js';
import { createReviewService } from '../../../src/changes/request.ts';
import { planHash, type Change } from '../../../src/changes/change.ts';
import { KINDS } from '../../../src/changes/messages/plan-view.ts';
import type { ChangeContext } from '../../../src/changes/context.ts';
import type { ChangeEvent } from '../../../src/changes/states.ts';
import {
  createRejectForm,
  createReviewForm,
  createWithdrawModal,
  COMMENT,
  REVIEW_TITLE,
} from '../../../src/changes/forms/review.ts';
import { withoutAlerts } from '../../../src/slack/kit/blocks.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import type { Answer, FormContent } from '../../../src/slack/routing/routes.ts';
import { user, type PlatformData } from '../../unit/changes/forms/harness.ts';
import { answer, DAY, modal, NOW, refusal, type Area, type Entry } from '../entry.ts';
import {
  ADA,
  approvedBy,
  BEN,
  CLEO,
  eventsOf,
  fakeOf,
  filed,
  GROUND,
  happen,
  ORDERS,
  type Someone,
} from './changes-feature-data.ts';
import { reading, refusedIn, withErrors } from './changes-feature-modals.ts';
import type { ChangeInput } from '../../../src/changes/kinds/kinds.ts';

interface Case {
  readonly order?: ChangeInput;
  /** On the account when it was asked for. */
  readonly before?: PlatformData;
  /** On the account now. */
  readonly now?: PlatformData;
  readonly minutes?: number;
  /** Who looks at it. */
  readonly by?: Someone;
  readonly fake?: Partial<ChangeContext>;
  readonly hasWorker?: boolean;
  /** Its earlier events. */
  readonly events?: (change: Change) => readonly ChangeEvent[];
}

const alert = ORDERS['alert.replace'];

const clickOf = (person: Someone, value: string) => ({ person, channelId: 'C0APPROVE', value });

/** A request of Ada's in the review of a person. */
async function reviewing(one: Case = {}) {
  const { order = alert, before = GROUND, now = before, minutes = 40, by = BEN, events } = one;
  const fake = fakeOf(one.fake);
  const change = await filed(fake, order, { platformData: before, minutes });
  if (events !== undefined) await happen(fake, ...events(change));
  fake.account.platformData = now;
  const reviews = createReviewService(fake.context);
  const form = createReviewForm(reviews, () => Promise.resolve(one.hasWorker ?? true));
  return {
    fake,
    change,
    async open(id = change.id): Promise<FormContent> {
      const shown: FormContent[] = [];
      const show = async (content: FormContent) => void shown.push(content);
      await form.fill(clickOf(by, id), show);
      const [content] = shown;
      if (content === undefined) throw new Error('nothing is shown');
      return content;
    },
    /** Sends the review as it was shown when the change was requested. */
    approve: () =>
      form.submit({
        person: by,
        values: {},
        state: JSON.stringify({ id: change.id, shown: planHash(change.plan) }),
      }),
    reject: (comment: string) =>
      createRejectForm(reviews).submit({
        person: by,
        values: { [COMMENT.id]: comment },
        state: change.id,
      }),
  };
}

function review(id: string, when: string, one: Case = {}): Entry {
  return modal(`review-${id}`, when, async () => (await reviewing(one)).open());
}

function closed(id: string, when: string, one: Case = {}, change?: string): Entry {
  return refusedIn(`review-refused-${id}`, when, REVIEW_TITLE, async () =>
    (await reviewing(one)).open(change),
  );
}

async function decide(one: Case, decision: 'approve' | 'reject'): Promise<Answer | undefined> {
  const review = await reviewing(one);
  const verdict = await (decision === 'approve' ? review.approve() : review.reject(''));
  return 'answer' in verdict ? verdict.answer() : undefined;
}

async function decided(decision: 'approve' | 'reject', one: Case = {}): Promise<Answer> {
  const given = await decide(one, decision);
  if (given === undefined) throw new Error('there is no answer');
  return given;
}

async function rejecting(): Promise<FormContent> {
  const shown: FormContent[] = [];
  const { fake, change } = await reviewing();
  const form = createRejectForm(createReviewService(fake.context));
  await form.fill(clickOf(BEN, change.id), async (content) => void shown.push(content));
  return shown[0]!;
}

const allowSelf = { approvals: { required: true, allowSelf: true } };
const TOKEN = { id: ORDERS['token.delete'].tokenId, name: 'ci' };
const { alert: _, ...withoutAlert } = GROUND;
const platformData: Partial<Record<ChangeInput['kind'], PlatformData>> = {
  'alert.create': withoutAlert,
};

/** For each kind of change, a new state of the account that conflicts with it. */
const CONFLICTS: readonly (readonly [ChangeInput['kind'], PlatformData])[] = [
  ['alert.create', GROUND],
  ['alert.replace', withoutAlert],
  ['alert.delete', withoutAlert],
  ['user.add', { ...GROUND, users: [user('finn@acme.example', 'billing_viewer')] }],
  [
    'user.roles',
    { ...GROUND, users: [user('cleo@acme.example', 'billing_viewer', 'org_creator')] },
  ],
  ['user.remove', { ...GROUND, users: [] }],
  ['token.delete', { ...GROUND, tokens: [] }],
  ['org.create', { ...GROUND, account: { tou: false, orgQuota: 3, paymentMethods: [] } }],
  [
    'recipient.add',
    { ...GROUND, recipients: [{ id: 'r-7', email: 'audit@acme.example', enabled: true }] },
  ],
  [
    'recipient.enable',
    { ...GROUND, recipients: [{ id: 'r-2', email: 'old-books@acme.example', enabled: true }] },
  ],
  ['recipient.disable', { ...GROUND, recipients: [] }],
  ['recipient.delete', { ...GROUND, recipients: [] }],
  ['quota.request', { ...GROUND, quotas: [{ name: 'workloads', max: '100' }] }],
];

/** A request in each state in which no decision is due. */
const DECIDED: Readonly<Record<string, (change: Change) => readonly ChangeEvent[]>> = {
  approved: ({ plan }) => [approvedBy(BEN, plan)],
  executing: (change) => [approvedBy(BEN, change.plan), eventsOf(change).claim],
  succeeded: (change) => [
    approvedBy(BEN, change.plan),
    eventsOf(change).claim,
    eventsOf(change).succeed,
  ],
  failed: (change) => [approvedBy(BEN, change.plan), eventsOf(change).claim, eventsOf(change).fail],
  unknown: (change) => [
    approvedBy(BEN, change.plan),
    eventsOf(change).claim,
    eventsOf(change).doubt,
  ],
  drifted: (change) => [approvedBy(BEN, change.plan), eventsOf(change).drift],
  rejected: (change) => [eventsOf(change).reject],
  withdrawn: (change) => [eventsOf(change).withdraw],
};

export const reviewForms: Area = {
  id: 'review',
  title: 'The review of a change',
  entries: [
    reading(
      'review-reading',
      'Review was clicked on, and the platform is still being asked.',
      REVIEW_TITLE,
    ),
    ...KINDS.map((kind) =>
      review(kind.replace('.', '-'), `An approver looks at a request of the kind ${kind}.`, {
        order: ORDERS[kind],
        ...(platformData[kind] && { before: platformData[kind] }),
      }),
    ),
    review('changed-meanwhile', 'The alert was changed after the request.', {
      now: { ...GROUND, alert: { enabled: false } },
    }),
    review('recipient-back', 'The recipient was deleted, and added again by another person.', {
      order: ORDERS['recipient.delete'],
      now: {
        ...GROUND,
        recipients: [{ id: 'r-9', email: 'old-books@acme.example', enabled: false }],
      },
    }),
    review('alert-fired-meanwhile', 'The alert has fired after the request.', {
      now: { ...GROUND, alert: { lastTriggered: NOW - DAY } },
    }),
    review('alert-off', 'The alert is to be switched off, and is projected to be reached.', {
      order: { ...alert, amount: 400, enabled: false },
    }),
    review('alert-lowered', 'Only the new amount is projected to be reached.', {
      order: { ...alert, amount: 400 },
      before: { ...GROUND, alert: { amount: new BigNumber(800) } },
    }),
    review('alert-unfired-meanwhile', 'The alert had fired, and is a new one by now.', {
      before: { ...GROUND, alert: { lastTriggered: NOW - DAY } },
      now: { ...GROUND, alert: {} },
    }),
    review('quota-meanwhile', 'The platform has raised the quota a little after the request.', {
      order: ORDERS['quota.request'],
      now: { ...GROUND, quotas: [{ name: 'workloads', max: '60', unit: 'workloads' }] },
    }),
    review('spaces-meanwhile', 'The description of the token got a line break after the request.', {
      order: ORDERS['token.delete'],
      before: { ...GROUND, tokens: [{ ...TOKEN, description: 'For CI. Ask Ada.' }] },
      now: { ...GROUND, tokens: [{ ...TOKEN, description: 'For CI.\nAsk Ada.' }] },
    }),
    review('by-requester', 'The requester clicks on Review, and another person has to decide.', {
      by: ADA,
    }),
    review(
      'by-requester-allowed',
      'The requester looks at the own request, and may decide on it here.',
      { by: ADA, fake: allowSelf },
    ),
    modal('review-withdrawn', 'The requester clicked on Withdraw in the review.', async () => {
      const { fake, change } = await reviewing({ by: ADA });
      return createWithdrawModal(createReviewService(fake.context)).load(clickOf(ADA, change.id));
    }),
    ...CONFLICTS.map(([kind, now]) =>
      review(
        `conflict-${kind.replace('.', '-')}`,
        `A request of the kind ${kind} can no longer be approved.`,
        {
          order: ORDERS[kind],
          before: platformData[kind] ?? GROUND,
          now,
        },
      ),
    ),
    modal('review-without-alerts', 'Slack does not take the block of the warnings.', async () => {
      const form = await (await reviewing({ now: withoutAlert })).open();
      return { ...form, blocks: withoutAlerts(form.blocks) };
    }),
    modal('reject', 'Reject... was clicked on in the review.', rejecting),
    modal('reject-long', 'The comment is longer than a line.', async () => {
      const verdict = await (await reviewing()).reject('too much '.repeat(40));
      const errors = 'errors' in verdict ? verdict.errors : {};
      return withErrors(await rejecting(), { Comment: errors[COMMENT.id] ?? '' });
    }),
  ],
};

export const reviewRefusals: Area = {
  id: 'review-refused',
  title: 'The review of a change is refused',
  entries: [
    closed('no-role', 'A person without the role clicks on Review.', { by: CLEO }),
    closed('own-billing-user', 'The request is about the billing user of the person who clicks.', {
      order: { kind: 'user.roles', email: 'ben@acme.example', roles: ['billing_viewer'] },
    }),
    closed(
      'requester-without-role',
      'The requester has lost the role meanwhile, and clicks on Review.',
      {
        by: ADA,
        fake: {
          access: {
            principal: async () => ({
              userId: 'U0ADA',
              email: 'ada@acme.example',
              roles: ['billing_viewer'],
            }),
          },
        },
        events: () => [],
      },
    ),
    closed('platform-down', 'The platform does not answer.', {
      fake: {
        kindOf: (order) => ({
          ...fakeOf().context.kindOf(order),
          read: () => Promise.reject(new PlatformError('unavailable', '', { status: 503 })),
        }),
      },
    }),
    closed('no-such-change', 'The request no longer exists.', {}, 'z9z9z9z9'),
    closed('too-late', 'No one has decided within eight hours.', { minutes: 9 * 60 }),
    ...Object.entries(DECIDED).map(([state, events]) =>
      closed(state, `No decision is due; the request is now: ${state}.`, {
        events,
      }),
    ),
  ],
};

export const decisions: Area = {
  id: 'decisions',
  title: 'A change is decided on',
  entries: [
    answer('decision-approved', 'A person has approved a request.', () => decided('approve')),
    answer(
      'decision-approved-no-worker',
      'A person has approved a request while no worker runs.',
      () => decided('approve', { hasWorker: false }),
    ),
    answer('decision-rejected', 'A person has rejected a request.', () => decided('reject')),
    refusal(
      'decision-changed-since',
      'The state has changed between the review and the decision.',
      () => decide({ now: { ...GROUND, alert: { enabled: false } } }, 'approve'),
    ),
    refusal('decision-conflict', 'The alert was deleted between the review and the decision.', () =>
      decide({ now: withoutAlert }, 'approve'),
    ),
    refusal(
      'decision-no-secret-key',
      'Purser has lost the key that the new token would be encrypted with.',
      async () => {
        const { fake, change } = await reviewing({ order: ORDERS['token.create'] });
        const bench = createReviewService({ ...fake.context, cipher: undefined });
        return bench.approve(BEN, change.id, planHash(change.plan));
      },
    ),
    refusal('decision-too-late', 'Another person was faster.', () =>
      decide({ events: ({ plan }) => [approvedBy(BEN, plan)] }, 'reject'),
    ),
    refusal('withdraw-not-yours', 'Another person than the requester clicks on Withdraw.', () =>
      withdraw(BEN),
    ),
    refusal(
      'withdraw-too-late',
      'The requester clicks on Withdraw, and the request is decided already.',
      () => withdraw(ADA, { events: (change) => [eventsOf(change).reject] }),
    ),
  ],
};

async function withdraw(by: Someone, one: Case = {}): Promise<Change> {
  const { fake, change } = await reviewing(one);
  return createReviewService(fake.context).withdraw(by, change.id);
}
