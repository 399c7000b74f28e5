import type { Change } from '../../../src/changes/change.ts';
import type { ChangeContext } from '../../../src/changes/context.ts';
import { unreadableMessage, waitingCard } from '../../../src/changes/messages/messages.ts';
import { UnreadableError } from '../../../src/changes/store.ts';
import { absentContent, presentContent } from '../../../src/notify/worker-watch.ts';
import { durabilityAt, createMemoryChanges } from '../../support/changes.ts';
import { direct, MINUTE, NOW, post, refusal, type Area, type Entry } from '../entry.ts';
import { SILENCE } from './changes-core-books.ts';
import {
  card,
  carriedOut,
  ID,
  openChanges,
  reported,
  type OpenChanges,
} from './changes-core-office.ts';
import { ORDERS } from './changes-feature-data.ts';

const ALERT = ORDERS['alert.replace'];
const TOKEN = ORDERS['token.create'];
const ORG = ORDERS['org.create'];

/** How a change ended, on its card and for its requester. */
function ending(name: string, when: string, make: () => Promise<Change>): Entry[] {
  return [
    post(`change-card-${name}`, when, async () => card(await make())),
    direct(`change-end-${name}`, when, async () => reported(await make())),
  ];
}

/** Redis is another one from a moment on. */
function redis(): { deps: Partial<ChangeContext>; restart: () => void; fail: () => void } {
  const durability = durabilityAt({ now: () => NOW });
  return {
    deps: { durability },
    restart: () => (durability.run = 'another'),
    fail: () => (durability.isConfirmed = false),
  };
}

/** Redis was restarted between the approval and the call. @param change happens on the platform before that */
async function restarted(
  order: typeof ALERT | typeof TOKEN | typeof ORG,
  change: (office: OpenChanges) => unknown = () => undefined,
): Promise<Change> {
  const { deps, restart } = redis();
  const { office } = await carriedOut(order, {
    deps,
    askedAgo: 30 * MINUTE,
    meanwhile: (office) => {
      change(office);
      restart();
    },
  });
  return office.workFor(3 * MINUTE);
}

async function approvedOnly(setup: Parameters<typeof openChanges>[0] = {}): Promise<OpenChanges> {
  const office = openChanges({ askedAgo: 60 * MINUTE, ...setup });
  await office.ask(TOKEN);
  await office.approve();
  return office;
}

/** A worker comes back half an hour after the approval. */
async function tooLate(): Promise<Change> {
  const office = await approvedOnly();
  office.clock.at += 30 * MINUTE;
  return office.work();
}

/** Redis was restarted after the request, and the worker came too late. */
async function tooLateElsewhere(): Promise<Change> {
  const { deps, restart } = redis();
  const office = openChanges({ deps, askedAgo: 60 * MINUTE });
  await office.ask(ALERT);
  restart();
  await office.approve();
  office.clock.at += 30 * MINUTE;
  return office.work();
}

async function notConfirmed(): Promise<Change> {
  const { deps, fail } = redis();
  fail();
  const office = await approvedOnly({ deps });
  return office.workFor(16 * MINUTE);
}

/** The record was edited in Redis. */
async function edited(order: typeof ALERT | typeof TOKEN, isDone = false): Promise<Change> {
  let isEdited = false;
  const changes = { ...createMemoryChanges(), isGenuine: () => !isEdited };
  const setup = { deps: { changes } };
  const office = isDone ? (await carriedOut(order, setup)).office : openChanges(setup);
  if (!isDone) await office.ask(order).then(() => office.approve());
  else office.clock.at += 20 * MINUTE;
  isEdited = true;
  return office.work();
}

async function keptToken(): Promise<Change> {
  const { deps, restart } = redis();
  const { office } = await carriedOut(TOKEN, { deps });
  restart();
  return office.workFor(16 * MINUTE);
}

export const changesForgotten: Area = {
  id: 'changes-forgotten',
  title: 'Changes: records that Redis lost, and approvals that cannot be verified',
  entries: [
    ...ending('too-late', 'No worker took it up in time.', tooLate),
    ...ending('too-late-restart', 'The same, after a restart of Redis.', tooLateElsewhere),
    ...ending('not-confirmed', 'No replica of Redis confirmed the claim.', notConfirmed),
    ...ending('restarted-undone', 'Redis was restarted after the approval.', () =>
      restarted(ALERT),
    ),
    ...ending('restarted-done', 'The same, and it is done.', () =>
      restarted(ALERT, ({ deps }) => deps.billing().replaceAlert({ amount: 500, enabled: true })),
    ),
    ...ending('restarted-token', 'The same, and a token like it is there.', () =>
      restarted(TOKEN, ({ deps }) => {
        const { name, roles, description, expiresAt } = TOKEN;
        return deps
          .billing()
          .createToken({ name, roles, description, ...(expiresAt && { expiresAt }) });
      }),
    ),
    ...ending('restarted-token-undone', 'The same, and no token like it is there.', () =>
      restarted(TOKEN),
    ),
    ...ending('restarted-org', 'The same, and the org is there.', () =>
      restarted(ORG, ({ deps }) => {
        const { name, description, invitees } = ORG;
        const createSuperuserServiceAccount = true;
        const org = { name, description };
        return deps.billing().createOrg({ org, invitees, createSuperuserServiceAccount });
      }),
    ),
    ...ending('restarted-org-undone', 'The same, and the org is not there.', () => restarted(ORG)),
    ...ending('token-kept', 'Redis was restarted while a token waited.', keptToken),
    ...ending('edited', 'The stored request was edited after its approval.', () => edited(ALERT)),
    ...ending('edited-token', 'A stored token was edited.', () => edited(TOKEN, true)),
    refusal('change-approve-restarted', 'Redis was restarted since the request.', async () => {
      const { deps, restart } = redis();
      const office = openChanges({ deps });
      await office.ask(TOKEN);
      restart();
      return office.approve();
    }),
    refusal('change-unreadable', 'The stored request is of a later release.', () => {
      throw new UnreadableError(SILENCE);
    }),
    post('change-unreadable-report', 'The same, for operators.', () =>
      unreadableMessage('C0OPS', ID),
    ),
    post('change-waiting-card', 'It is approved, and no worker is running.', async () =>
      waitingCard(await (await approvedOnly()).now()),
    ),
    post('worker-absent', 'No worker has been running for two minutes.', () =>
      absentContent(NOW - 2 * MINUTE),
    ),
    post('worker-back', 'A worker is running again: the message is edited.', () =>
      presentContent(NOW - 17 * MINUTE, NOW),
    ),
  ],
};
