import type { Change } from '../../../src/changes/change.ts';
import { CHANGES_OFF } from '../../../src/changes/context.ts';
import { direct, HOUR, MINUTE, NOW, post, reply, type Area } from '../entry.ts';
import { isWrite, no, SILENCE } from './changes-core-books.ts';
import { drifted, DRIFTS } from './changes-core-drifts.ts';
import {
  card,
  carriedOut,
  ID,
  LONG_AGO,
  messageOf,
  NO_DM,
  openChanges,
  pending,
  reported,
  type OpenChanges,
  type Setup,
} from './changes-core-office.ts';
import { ADA, BEN, ORDERS } from './changes-feature-data.ts';

const ORDER = ORDERS['alert.replace'];
const LONG_COMMENT = `Not like this: the amount is above what was agreed, it would be on before the month ends, finance has to agree first, the last alert fired two weeks ago, an alert of 450 is enough, and *please* ask <@U0CLEO> first.`;

/** Asked for, and looked at ten minutes later. */
async function asked(setup: Setup = {}): Promise<OpenChanges> {
  const office = openChanges(setup);
  await office.ask(ORDER);
  office.clock.at += 10 * MINUTE;
  return office;
}

const approved = async (): Promise<Change> => (await asked()).approve();
const rejected = async (comment = '', setup: Setup = {}): Promise<Change> =>
  (await asked(setup)).bench.reject(BEN, ID, { comment });

async function selfApproved(): Promise<Change> {
  const approvals = { required: true, allowSelf: true };
  return (await asked({ deps: { approvals } })).approve(ADA);
}

async function unasked(): Promise<Change> {
  const office = openChanges({ deps: { approvals: { required: false, allowSelf: false } } });
  return office.ask(ORDER);
}

async function expired(setup: Setup = {}): Promise<Change> {
  const office = openChanges({ ...setup, askedAgo: LONG_AGO });
  await office.ask(ORDER);
  office.clock.at += 8 * HOUR;
  return office.work();
}

/** The roles cannot be checked. */
const waiting = async (): Promise<Change> => {
  const silent = ({ people }: OpenChanges) => void people.set(ADA.userId, { silent: SILENCE });
  return (await carriedOut(ORDER, { meanwhile: silent })).change;
};

const switchedOff = async (): Promise<Change> => {
  const meanwhile = ({ deps }: OpenChanges) => void Object.assign(deps, { off: CHANGES_OFF });
  return (await carriedOut(ORDER, { meanwhile })).change;
};

/** Another change of the alert was sent, and its outcome is not known yet. */
async function waitingForItsTurn(): Promise<Change> {
  const first = 'p7q4w8zt';
  const ids = [first, ID];
  let isSilent = true;
  const office = openChanges({
    deps: { newId: () => ids.shift() ?? ID },
    troubles: (call, before) =>
      isSilent && [call, ...before].some(isWrite) ? { refused: SILENCE } : undefined,
  });
  await office.ask({ ...ORDER, amount: 450 });
  await office.approve(BEN, first);
  await office.work(first);
  isSilent = false;
  await office.ask(ORDER);
  office.clock.at += 10 * MINUTE;
  await office.approve();
  return office.work();
}

/** The call was claimed, and its answer is not there. */
async function executing(): Promise<Change> {
  const office = await asked();
  await office.approve();
  return office.happen({ kind: 'claim', at: office.clock.at, baseline: {} });
}

/** The answer was lost, and the state cannot be read. */
const settling = async (): Promise<Change> => {
  const { change } = await carriedOut(ORDER, {
    troubles: (call, before) =>
      [call, ...before].some(isWrite) ? { refused: SILENCE } : undefined,
  });
  return change;
};

/** The stored record after a crash between the refusal and the end. */
async function refused(): Promise<Change> {
  const { change } = await carriedOut(ORDER, {
    meanwhile: ({ people }) => void people.set(BEN.userId, { email: BEN.email, roles: [] }),
  });
  const { outcome: _, ...rest } = change;
  return { ...rest, state: 'executing' };
}

const failed = async (setup: Setup = {}): Promise<Change> => {
  const { change } = await carriedOut(ORDER, {
    ...setup,
    troubles: (call) => (isWrite(call) ? { refused: no(400, 'amount is too large') } : undefined),
  });
  return change;
};

async function unknown(setup: Setup = {}): Promise<Change> {
  const { office } = await carriedOut(ORDER, {
    ...setup,
    askedAgo: 40 * MINUTE,
    troubles: (call, before) =>
      [call, ...before].some(isWrite) ? { refused: SILENCE } : undefined,
  });
  return office.workFor(20 * MINUTE);
}

const succeeded = async (setup: Setup = {}): Promise<Change> =>
  (await carriedOut(ORDER, setup)).change;

type Make = () => Promise<Change>;
const STATES: readonly [name: string, when: string, make: Make][] = [
  [
    'pending-no-group',
    'The approvers have no user group.',
    () => pending(ORDER, { deps: { groupFor: async () => undefined } }),
  ],
  ['approved', 'A person has approved it a moment ago.', approved],
  ['approved-self', 'The requester has approved it, which this Purser permits.', selfApproved],
  ['approved-unasked', 'Here no change takes an approval.', unasked],
  ['approved-waiting', 'It was approved, and the roles cannot be checked now.', waiting],
  [
    'approved-its-turn',
    'It was approved, and waits for another change of the same thing.',
    waitingForItsTurn,
  ],
  ['approved-off', 'It was approved, and CHANGES=off was set before it was sent.', switchedOff],
  ['executing', 'It was sent to the platform a moment ago.', executing],
  ['executing-settling', 'The platform did not answer, and the state cannot be read.', settling],
  ['executing-refused', 'It was approved, but the approver has lost the role since.', refused],
  ['succeeded', 'It is done, and reading back shows the ordered state.', succeeded],
  ['failed', 'The platform did not accept it.', failed],
  ['unknown', 'The answer was lost, and the outcome was unknown for 15 minutes.', unknown],
  ['rejected', 'A person has rejected it without a word.', rejected],
  [
    'rejected-comment',
    'A person has rejected it with a long comment.',
    () => rejected(LONG_COMMENT),
  ],
  ['expired', 'No one decided on it within 8 hours.', expired],
  [
    'withdrawn',
    'The requester has withdrawn it.',
    async () => (await asked()).bench.withdraw(ADA, ID),
  ],
  ...DRIFTS,
];

export const changeStates: Area = {
  id: 'change-states',
  title: 'Changes: the card in every state',
  entries: STATES.map(([name, when, make]) =>
    post(`change-state-${name}`, when, async () => card(await make())),
  ),
};

const REPORTED: readonly [name: string, when: string, make: (setup?: Setup) => Promise<Change>][] =
  [
    ['succeeded', 'It is done.', succeeded],
    ['failed', 'The platform did not accept it.', failed],
    ['unknown', 'Its outcome stays unknown.', unknown],
    ['rejected', 'A person has rejected it without a word.', (setup) => rejected('', setup)],
    [
      'rejected-comment',
      'A person has rejected it with a long comment.',
      (setup) => rejected(LONG_COMMENT, setup),
    ],
    ['expired', 'No one decided on it within 8 hours.', expired],
    ['drifted', 'The state has changed since it was approved.', drifted],
  ];

export const changeEndsReported: Area = {
  id: 'change-ends',
  title: 'Changes: the message to the requester at the end',
  entries: [
    ...REPORTED.map(([name, when, make]) =>
      direct(`change-end-${name}-alert`, when, async () => reported(await make())),
    ),
    direct(
      'change-end-alert-off-expired',
      'No one decided on switching the alert off.',
      async () => {
        const office = openChanges({ askedAgo: LONG_AGO });
        await office.ask({ ...ORDER, enabled: false });
        office.clock.at += 8 * HOUR;
        return reported(await office.work());
      },
    ),
    ...REPORTED.map(([name, when, make]) =>
      reply(
        `change-end-in-thread-${name}`,
        `${when} Slack omits where to write to the requester alone.`,
        async () => reported(await make(NO_DM)),
      ),
    ),
  ],
};

/** Reminders come after 15 minutes, and then each time after twice as long, until it expires. */
const REMINDERS = ['15 minutes', '30 minutes', 'an hour', 'two hours', 'four hours'] as const;

async function reminded(count: number, setup: Setup = {}): Promise<Change> {
  const waited = 15 * MINUTE * 2 ** (count - 1);
  const office = openChanges({ ...setup, askedAgo: waited });
  await office.ask(ORDER);
  office.clock.at = NOW;
  return office.work();
}

export const changeReminders: Area = {
  id: 'change-reminders',
  title: 'Changes: reminders in the thread of the card',
  entries: [
    ...REMINDERS.map((waited, index) =>
      reply(`change-reminder-${index + 1}`, `No decision for ${waited}.`, async () =>
        messageOf(await reminded(index + 1), 'reminder'),
      ),
    ),
    reply('change-reminder-no-group', 'The approvers have no user group.', async () =>
      messageOf(await reminded(1, { deps: { groupFor: async () => undefined } }), 'reminder'),
    ),
  ],
};
