import { text } from 'node:stream/consumers';
import type { Principal } from '../../../../src/access/policy.ts';
import type { Change } from '../../../../src/changes/change.ts';
import type { Changes } from '../../../../src/changes/changes.ts';
import type { RequestForms } from '../../../../src/changes/forms/form.ts';
import { createKinds } from '../../../../src/changes/kinds/kinds.ts';
import { createChangesFeature } from '../../../../src/features/changes/feature.ts';
import { Refusal } from '../../../../src/lib/errors.ts';
import type { SendFile } from '../../../../src/slack/files.ts';
import type { Answer, FormContent, FormValues } from '../../../../src/slack/routing/routes.ts';
import { visitorOf, wordsIn } from '../../../support/answer.ts';
import { changeOf, createMemoryChanges, REQUESTED_AT } from '../../../support/changes.ts';
import { typeWords } from '../../../support/command.ts';
import { keptHere } from '../../../support/kept.ts';
import { memoryIdentities } from '../../../support/identities.ts';

const MINUTE = 60_000;
/** When people look: five minutes after the request of `changeOf`. */
const NOW = REQUESTED_AT + 5 * MINUTE;

const ROLES: Readonly<Record<string, readonly string[]>> = {
  U0ADA: ['billing_admin'],
  U0BEN: ['billing_admin'],
  U0CY: ['org_creator'],
};

/** `/changes` between pretended rooms: the changes are in memory, Ada and Ben are admins, Cy creates orgs, Dee may nothing. */
export async function createHarness(
  kept: readonly Partial<Change>[] = [],
  over: Partial<Changes> = {},
) {
  const clock = { now: () => NOW };
  const shelves = keptHere();
  const changes = createMemoryChanges(clock);
  for (const one of kept) await changes.create(changeOf(one));
  const files: { userId: string; filename: string; content: string }[] = [];
  const reported: string[] = [];
  const no = () => Promise.reject(new Refusal('No person is known here.'));
  const used: Partial<Changes> = {
    access: { principal: ({ userId }) => Promise.resolve<Principal>(standingOf(userId)) },
    approvals: { required: true, allowSelf: false },
    changes,
    clock,
    hasWorker: () => Promise.resolve(true),
    executor: {
      advance: async (id) => void reported.push(`advance ${id}`),
      sweep: async () => void reported.push('sweep'),
    },
    forms: {} as RequestForms,
    kindOf: createKinds('USD', memoryIdentities()),
    reviews: { review: no, approve: no, reject: no, withdraw: no },
    secrets: { take: no },
    ...over,
  };
  const sendFile: SendFile = async ({ userId, filename, content }) => {
    files.push({ userId, filename, content: await text(content as AsyncIterable<Uint8Array>) });
    return 'https://files.example/audit';
  };
  const feature = createChangesFeature({ kept: shelves, sendFile }, used as Changes);
  const as = (userId: string) => visitorOf(feature, personOf(userId), shelves);
  return { changes, files, reported, as, ...handsOn(feature) };
}

function handsOn(feature: ReturnType<typeof createChangesFeature>) {
  const [review, reject] = feature.forms ?? [];
  const openIn = (form: typeof review) => async (userId: string, id: string) => {
    const shown: FormContent[] = [];
    const context = { person: personOf(userId), channelId: 'C1', value: id };
    await form?.fill(context, async (content) => void shown.push(content));
    return shown.at(-1) ?? { title: '', submit: '', blocks: [], state: '' };
  };
  const submitIn = (form: typeof review) => (userId: string, state: string, values: FormValues) =>
    form?.submit({ person: personOf(userId), values, state });
  return {
    feature,
    async type(userId: string, line: string): Promise<Answer> {
      const context = { person: personOf(userId), channelId: 'C1' };
      return typeWords(feature.commands![0]!, wordsIn(line), context);
    },
    async click(userId: string, actionId: string, value?: string): Promise<Answer> {
      const action = feature.actions?.find((one) => one.actionId === actionId);
      const context = { person: personOf(userId), channelId: 'C1', value };
      return (await action?.run(context)) ?? { blocks: [] };
    },
    openReview: openIn(review),
    submitReview: submitIn(review),
    openReject: openIn(reject),
    submitReject: submitIn(reject),
  };
}

function personOf(userId: string) {
  return { userId, teamId: 'T0ACME' };
}

function standingOf(userId: string): Principal {
  const email = `${userId.slice(2).toLowerCase()}@acme.example`;
  return { userId, email, roles: ROLES[userId] };
}
