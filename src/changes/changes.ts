import { setTimeout as sleep } from 'node:timers/promises';
import { createMessageRecords } from '../notify/records.ts';
import type { Services } from '../services.ts';
import { createPermalink } from '../slack/directory.ts';
import type { FormRoute } from '../slack/routing/routes.ts';
import type { Change } from './change.ts';
import { createChangeContext, type ChangeContext } from './context.ts';
import { createExecutor, type Executor } from './execute.ts';
import type { RequestForms } from './forms/form.ts';
import { createRequestForms, textsIn } from './forms/routes.ts';
import { cardKey, waitingCard } from './messages/messages.ts';
import { createRequestService, createReviewService, type ReviewService } from './request.ts';
import { createSecretReveal, type SecretReveal } from './reveal.ts';
import type { ChangeStore } from './store.ts';

export interface Changes extends ChangeContext {
  readonly forms: RequestForms;
  readonly reviews: ReviewService;
  readonly executor: Executor;
  readonly secrets: SecretReveal;
  /** Whether a worker is running, to carry out approved changes; also when Redis does not answer. */
  readonly hasWorker: () => Promise<boolean>;
}

/** Built once: the features of the alert, of billing and of changes share it. */
export function createChanges(services: Services): Changes {
  const { redis, keys } = services;
  const context = createChangeContext(services);
  const forms = createRequestForms(
    services,
    createRequestService(context),
    createCardLink(services),
  );
  return {
    ...context,
    forms: { ...forms, 'quota.request': ofReadableOrg(services, forms['quota.request']) },
    reviews: createReviewService(context),
    executor: createExecutor(context),
    secrets: createSecretReveal(context),
    hasWorker: () =>
      redis.exists(keys.heartbeat).then(
        (count) => count > 0,
        () => true,
      ),
  };
}

/** Its form shows figures of an org, so it opens with the right to read that org. */
function ofReadableOrg(
  { access, orgs }: Pick<Services, 'access' | 'orgs'>,
  form: FormRoute,
): FormRoute {
  return {
    ...form,
    async fill(context, show) {
      const { org = orgs.fallback } = textsIn(context.value);
      await access.requireOrgAccess(context.person, org);
      await form.fill(context, show);
    },
  };
}

/** How often, and how long apart, the card is looked for: the outbox posts it at the same time. Milliseconds. */
const LOOKS = 12;
const APART_MS = 100;

function createCardLink({ redis, keys, slack }: Pick<Services, 'redis' | 'keys' | 'slack'>) {
  const records = createMessageRecords(redis, keys);
  const permalink = createPermalink(slack);
  return async ({ id, channel }: Change): Promise<string | undefined> => {
    for (let left = LOOKS; left > 0; left -= 1) {
      const ts = (await records.readPlace(channel, cardKey(id)))?.ts;
      if (ts !== undefined) return permalink(channel, ts);
      await sleep(APART_MS);
    }
    return undefined;
  };
}

/**
 * Edits the cards of approved changes while no worker is running, past the outbox, which workers deliver: each card
 * says that its change waits, once in this process. The worker that is back edits them again.
 */
export function createWaitingCards(
  { redis, keys, sender }: Pick<Services, 'redis' | 'keys' | 'sender'>,
  changes: Pick<ChangeStore, 'open'>,
): () => Promise<void> {
  const records = createMessageRecords(redis, keys);
  const shown = new Set<string>();
  return async () => {
    for (const change of await changes.open()) {
      const { id, channel, state, version } = change;
      const name = `${id}/${version}`;
      if (state !== 'approved' || shown.has(name)) continue;
      const place = await records.readPlace(channel, cardKey(id));
      if (place?.ts === undefined) continue;
      const { kind } = await sender.update(waitingCard(change), place.ts);
      if (kind === 'sent') shown.add(name);
    }
  };
}
