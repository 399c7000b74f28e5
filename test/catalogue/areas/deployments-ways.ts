import { createJoined } from '../../../src/features/deployments/joined.ts';
import { createWhy } from '../../../src/features/deployments/why.ts';
import { WATCH_ANYWAY_ACTION } from '../../../src/features/deployments/watch.ts';
import type { Message } from '../../../src/notify/message.ts';
import { WHY_WHERE } from '../../../src/slack/routing/mentions.ts';
import type { ActionContext, FormContent, FormRoute } from '../../../src/slack/routing/routes.ts';
import { modal, post, refusal, type Area } from '../entry.ts';
import { configured, harness, OPS, seen } from './deployments-data.ts';
import { ready } from '../../unit/rollouts/platform-json.ts';
import { ADA } from './whoami.ts';

type Setting = Parameters<typeof harness>[0];

async function greeting(): Promise<Message> {
  let posted: Message | undefined;
  await createJoined({
    identity: { get: async () => ({ botUserId: 'U0PURSER' }) },
    outbox: { commit: async ([message]: readonly Message[]) => void (posted = message) },
    wake: async () => undefined,
  } as never)?.({ userId: 'U0PURSER', channelId: OPS, eventTs: '1.5' });
  if (posted === undefined) throw new Error('Nothing was posted');
  return posted;
}

function formIn(setting?: Setting): FormRoute {
  const [form] = harness(setting).feature.forms ?? [];
  if (form === undefined) throw new Error('There is no form');
  return form;
}

const opened = (channelId: string | undefined, setting?: Setting): Promise<FormContent> =>
  filled(formIn(setting), { person: ADA, channelId, value: 'new' });

async function filled(form: FormRoute, context: ActionContext): Promise<FormContent> {
  let shown: FormContent | undefined;
  await form.fill(context, async (content) => void (shown = content));
  if (shown === undefined) throw new Error('Nothing is shown');
  return shown;
}

const WATCHED: Setting = {
  configured: [configured()],
  deployments: [seen(ready(12), { workload: 'cart' }).deployment],
};

async function chosen(): Promise<FormContent> {
  const { state } = await opened(OPS, WATCHED);
  const values = { 'watch.org': 'acme', 'watch.gvc#1': 'shop' };
  const form = await formIn(WATCHED).refill?.({
    person: ADA,
    fieldId: 'watch.gvc',
    values,
    state,
  });
  if (form === undefined) throw new Error('Nothing is shown');
  return form;
}

/** The sentence below the field for a name. */
async function mistake(name: string): Promise<string | undefined> {
  const { state } = await opened(OPS);
  const verdict = await formIn().submit({ person: ADA, values: { 'watch.other': name }, state });
  return 'errors' in verdict ? verdict.errors['watch.other'] : undefined;
}

const noOrg: Setting = {
  over: {
    access: {
      requireOrgAccess: async () => undefined,
      readableOrgs: async () => [],
    } as never,
  },
};

export const deploymentsWays: Area = {
  id: 'deployments-ways',
  title: 'Ways to a watch and to its details',
  entries: [
    post('deployments-joined', 'Purser was invited to a channel.', greeting),
    modal('deployments-watch-form', 'The form for a watch, where nothing is watched yet.', () =>
      opened(OPS),
    ),
    modal('deployments-watch-form-home', 'The form for a watch, opened on Home.', () =>
      opened(undefined, WATCHED),
    ),
    modal('deployments-watch-form-gvc', 'The same, with a GVC that was chosen.', chosen),
    refusal('deployments-watch-form-nothing', 'The form is sent without a name.', () =>
      mistake(''),
    ),
    refusal('deployments-watch-form-location', 'The form is sent with a location.', () =>
      mistake('shop/cart/oslo'),
    ),
    refusal('deployments-watch-form-no-org', 'No org is open to the person.', () =>
      opened(OPS, noOrg),
    ),
    refusal('deployments-watch-anyway-old', 'A button of an older version is pressed.', () =>
      harness().click(WATCH_ANYWAY_ACTION, 'shop'),
    ),
    refusal(
      'deployments-why-elsewhere',
      '"@Purser why" is not in the thread of a card.',
      () => WHY_WHERE,
    ),
    refusal('deployments-why-unreadable', 'The thread cannot be read.', () =>
      createWhy({
        sender: { read: async () => ({ kind: 'unknown', error: 'missing_scope' }) },
      } as never)?.({ person: ADA, channelId: OPS, threadTs: '1.5' }),
    ),
  ],
};
