import type { Change } from '../../../src/changes/change.ts';
import type { ChangeContext } from '../../../src/changes/context.ts';
import { DELETED, NOT_CLEANED, OFF, refusedBy, UNVERIFIED } from '../../../src/changes/ends.ts';
import type { ChangeEvent } from '../../../src/changes/states.ts';
import { WITHDRAW_ACTION } from '../../../src/changes/messages/plan-view.ts';
import { CHANGES_HELP, sendAudit } from '../../../src/features/changes/feature.ts';
import { show } from '../../../src/features/changes/show.ts';
import type { Answer } from '../../../src/slack/routing/routes.ts';
import { section, topText } from '../../../src/slack/kit/blocks.ts';
import { mrkdwn } from '../../../src/slack/kit/text.ts';
import { createHarness } from '../../unit/features/changes/harness.ts';
import { answer, direct, NOW, refusal, type Area, type Entry } from '../entry.ts';
import {
  ADA,
  ago,
  approvedBy,
  BEN,
  CLEO,
  eventsOf,
  fakeOf,
  filed,
  happen,
  ORDERS,
  standingOf,
  type Someone,
} from './changes-feature-data.ts';
import type { ChangeInput } from '../../../src/changes/kinds/kinds.ts';

type Events = ReturnType<typeof eventsOf>;

interface Case {
  readonly order?: ChangeInput;
  readonly events?: (events: Events, change: Change) => readonly ChangeEvent[];
  readonly viewer?: Someone;
  /** Who looks at it. */
  readonly by?: Someone;
  readonly minutes?: number;
  readonly fake?: Partial<ChangeContext>;
}

async function shown(one: Case = {}, id?: string): Promise<Answer> {
  const { order = ORDERS['alert.replace'], events, viewer = ADA, by = BEN, minutes = 40 } = one;
  const fake = fakeOf(one.fake);
  const change = await filed(fake, order, { who: viewer, minutes });
  if (events !== undefined) await happen(fake, ...events(eventsOf(change), change));
  return show(fake.context, standingOf(by), id ?? change.id);
}

const showing = (id: string, when: string, one: Case = {}): Entry =>
  answer(`changes-show-${id}`, when, () => shown(one));

const token = ORDERS['token.create'];
const quota = ORDERS['quota.request'];
const sent = ({ approve, claim }: Events) => [approve, claim];

/** A request at every point of its life. */
const LIFE: Readonly<Record<string, (events: Events) => readonly ChangeEvent[]>> = {
  approved: ({ approve }) => [approve],
  executing: sent,
  'sent-again': (events) => [...sent(events), events.resend],
  'not-to-be-sent': ({ approve, refuse }) => [approve, refuse],
  succeeded: (events) => [...sent(events), events.succeed],
  failed: (events) => [...sent(events), events.fail],
  unknown: (events) => [...sent(events), events.resend, events.doubt],
  drifted: ({ approve, drift }) => [approve, drift],
  'switched-off': ({ approve, refuse }) => [approve, { ...refuse, end: OFF }],
  'claim-taken-back': (events) => [...sent(events), { kind: 'unclaim', at: ago(27), until: NOW }],
  'perhaps-sent': ({ approve }) => [approve, { kind: 'suspect', at: ago(27) }],
  disowned: ({ approve }) => [approve, { kind: 'disown', at: ago(27), end: UNVERIFIED }],
  'not-understood': (events) => [
    ...sent(events),
    { ...events.fail, end: refusedBy(new Error('a defect'), undefined) },
  ],
  rejected: ({ reject }) => [reject],
  withdrawn: ({ withdraw }) => [withdraw],
};

/** The events of a secret, by its state. */
const SECRETS: Readonly<Record<string, (events: Events) => readonly ChangeEvent[]>> = {
  waiting: (events) => [...sent(events), events.sealed],
  'being-shown': (events) => [...sent(events), events.sealed, events.open],
  shown: (events) => [...sent(events), events.sealed, events.open, events.reveal],
  'given-up': (events) => [...sent(events), events.sealed, events.open, events.lapse],
  'cleared-away': (events) => [
    ...sent(events),
    events.sealed,
    events.open,
    events.lapse,
    events.clean,
  ],
  lost: (events) => [...sent(events), events.lost, events.clean],
  left: (events) => [...sent(events), events.lost, { ...events.clean, end: NOT_CLEANED }],
};

function manyTimes(count: number) {
  return (events: Events): ChangeEvent[] => [
    ...sent(events),
    ...Array.from(
      { length: count },
      (_, index) => ({ kind: 'resend', at: ago(27) + index * 20_000 }) as const,
    ),
  ];
}

export const changesShow: Area = {
  id: 'changes-show',
  title: '/changes show: the life of a request',
  entries: [
    showing('pending', 'An approver looks at a request that waits.'),
    showing('pending-own', 'The requester, who has the role to decide as well, looks at it.', {
      by: ADA,
    }),
    showing('pending-own-no-role', 'The requester, who has no role to decide, looks at it.', {
      order: quota,
      viewer: CLEO,
      by: CLEO,
    }),
    showing('pending-too-late', 'The time to decide is over, and no one has noted it yet.', {
      minutes: 8 * 60 + 1,
    }),
    showing('expired', 'No one decided in time.', {
      minutes: 8 * 60 + 30,
      events: ({ expire }) => [expire],
    }),
    ...Object.entries(LIFE).map(([state, events]) =>
      showing(state, `A person looks at a request: ${state.replaceAll('-', ' ')}.`, { events }),
    ),
    answer('changes-show-discarded', 'The secret of its call could not be stored.', async () => {
      const fake = fakeOf();
      const change = await filed(fake, token, { who: ADA, minutes: 40 });
      const { fail, ...events } = eventsOf(change);
      const failed = await happen(fake, ...sent({ ...events, fail }), fail);
      await fake.changes.note(failed, { kind: 'discard', at: ago(24), end: DELETED });
      return show(fake.context, standingOf(BEN), change.id);
    }),
    showing('approved-by-requester', 'The requester has approved it, which is allowed here.', {
      events: (_, { plan }) => [approvedBy(ADA, plan)],
    }),
    showing('approved-by-no-one', 'No one had to approve it.', {
      events: (_, { plan }) => [approvedBy(undefined, plan)],
    }),
    showing('approved-as-changed', 'The approver was shown something else than was requested.', {
      events: (_, { plan }) => [
        approvedBy(
          BEN,
          {
            ...plan,
            before: [
              { name: 'Amount', text: '$450.00' },
              { name: 'Enabled', text: 'no' },
            ],
          },
          'Fine, too.',
        ),
      ],
    }),
    ...Object.entries(SECRETS).map(([state, events]) =>
      showing(
        `secret-${state}`,
        `Another person looks at a request for a token. The token: ${state.replaceAll('-', ' ')}.`,
        { order: token, events },
      ),
    ),
    showing('secret-waiting-own', 'The requester looks at a request whose token can be revealed.', {
      order: token,
      events: (events) => SECRETS['waiting']?.(events) ?? [],
      by: ADA,
    }),
    showing('many-lines', 'More has happened than there is room for.', { events: manyTimes(32) }),
    showing('one-line-too-many', 'One line more than there is room for.', {
      events: manyTimes(28),
    }),
    refusal(
      'changes-show-not-for-you',
      'A person looks at a request who neither asked for it nor may approve it.',
      () => shown({ by: CLEO }),
    ),
    refusal(
      'changes-show-not-for-you-creators',
      'The same, of a request that people with another role may approve.',
      () => shown({ order: ORDERS['org.create'], by: CLEO }),
    ),
    refusal(
      'changes-show-no-such-id',
      'There is no request of that ID.',
      () => shown({}, 'aaaaaaaa'),
      CHANGES_HELP,
    ),
    refusal(
      'changes-show-mistyped-id',
      'The ID is nearly that of a request.',
      () => shown({}, 'k3m9x2ba'),
      CHANGES_HELP,
    ),
    answer('change-withdrawn', 'The requester has clicked on Withdraw.', async () => {
      const harness = await createHarness([], {
        reviews: { ...NO_ONE, withdraw: async () => await fakeChange() },
      });
      return harness.click('U0ADA', WITHDRAW_ACTION, 'k3m9x2ab');
    }),
  ],
};

const no = () => Promise.reject(new Error('no one is here'));
const NO_ONE = { review: no, approve: no, reject: no };
const fakeChange = () => filed(fakeOf(), ORDERS['alert.replace']);

/** The answer about the file, and the title and comment that Slack shows with it. */
async function audit(lines: number, address?: string) {
  const fake = fakeOf();
  if (lines > 0) await filed(fake, ORDERS['alert.replace']);
  if (lines > 1) {
    const [change] = await fake.changes.list(0, 1);
    if (change) await happen(fake, approvedBy(BEN, change.plan));
  }
  const files: { title: string; comment: string }[] = [];
  const said = await sendAudit(
    fake.context,
    async ({ title, comment, content }) => {
      if (typeof content !== 'string' && !(content instanceof Uint8Array))
        for await (const _ of content);
      files.push({ title, comment });
      return address;
    },
    ADA.userId,
  );
  return { said, files };
}

const FILE = 'https://acme.slack.com/files/U0PURSER/F0AUDIT/purser-audit.ndjson';

export const auditFile: Area = {
  id: 'audit-file',
  title: 'The audit as a file',
  entries: [
    answer(
      'audit-file-sent',
      'A billing_admin has asked for the audit.',
      async () => (await audit(2, FILE)).said,
    ),
    answer(
      'audit-file-one-line',
      'There is one line in the audit.',
      async () => (await audit(1, FILE)).said,
    ),
    answer(
      'audit-file-no-link',
      'Slack omits the address of the file.',
      async () => (await audit(2)).said,
    ),
    direct(
      'audit-file-message',
      'The text beside the file in the messages with Purser; below it, the title of the file.',
      async () => {
        const [file] = (await audit(2)).files;
        const said = [mrkdwn`${file?.comment ?? ''}`, mrkdwn`${file?.title ?? ''}`] as const;
        return { text: topText(said[0]), blocks: said.map((line) => section(line)) };
      },
    ),
  ],
};
