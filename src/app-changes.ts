import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { BILLING_OFF } from './access/gate.ts';
import type { Gate } from './access/gate.ts';
import type { Ground } from './app-ground.ts';
import { createBench } from './changes/decide.ts';
import { createClerk } from './changes/execute.ts';
import { createKinds } from './changes/kinds/index.ts';
import { cardKey } from './changes/messages/messages.ts';
import type { OfficeDeps } from './changes/office.ts';
import { createDesk } from './changes/request.ts';
import { createCounter } from './changes/reveal.ts';
import { createChanges } from './changes/store.ts';
import { createVault } from './changes/vault.ts';
import type { Config } from './config.ts';
import { createAlertFeature } from './features/alert/feature.ts';
import { createBillingFeature } from './features/billing/feature.ts';
import { createChangesFeature } from './features/changes/feature.ts';
import { createRequestRoutes } from './features/changes/forms/routes.ts';
import type { RequestDeps } from './features/changes/forms/routes.ts';
import type { Feature } from './features/feature.ts';
import { explainPlatformError } from './features/platform-sentences.ts';
import { systemStopwatch } from './lib/clock.ts';
import { Refusal } from './lib/refusal.ts';
import { createMessageRecords } from './notify/records.ts';
import { createDirectChannel } from './slack/direct.ts';
import { createGroupFor } from './slack/groups.ts';
import type { Keep } from './slack/keep.ts';
import { createPermalink } from './slack/permalink.ts';
import type { Person } from './slack/routes.ts';
import { createSendFile } from './slack/upload.ts';
import { acquireLock } from './store/lock.ts';

/** A worker that dies leaves its change to the next one after this time, in milliseconds. */
const LOCK_MS = 15_000;

/** Letters and digits of an id that nobody takes for one another. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const ID_LENGTH = 8;

/** The billing account, its spend alert, and changes of both. */
export function changesFeatures(config: Config, ground: Ground, gate: Gate, keep: Keep): Feature[] {
  const { clock } = ground;
  const office = officeOf(config, ground, gate);
  const orgs = { known: [...config.api.credentials.keys()], fallback: config.api.defaultOrg };
  const forms = createRequestRoutes({
    desk: createDesk(office),
    platform: office.platform,
    approvalsRequired: config.approvals.required,
    secretsOff: office.vault === undefined,
    currency: config.currency,
    orgs,
    link: linkOf(ground),
    clock,
  });
  const reads = {
    billing: office.platform,
    forms,
    currency: config.currency,
    keep,
    clock,
    requireBillingRole: (person: Person, roles: Parameters<Gate['requireRole']>[1]) =>
      gate.requireRole(person, roles),
    requireOrgAccess: (person: Person) => gate.requireOrgAccess(person),
  };
  return [
    createAlertFeature(reads),
    createBillingFeature({ ...reads, orgs }),
    createChangesFeature({
      ...office,
      bench: createBench(office),
      counter: createCounter(office),
      clerk: createClerk(office),
      keep,
      sendFile: createSendFile({
        client: ground.slack,
        apiUrl: config.slack.apiUrl,
        stopping: ground.stopping.signal,
      }),
    }),
    // Commands and buttons of the two open them.
    { name: 'requests', forms: Object.values(forms) },
  ];
}

function officeOf(config: Config, ground: Ground, gate: Gate): OfficeDeps {
  const { redis, keys, jobs, clock, logger, slack, billing } = ground;
  return {
    changes: createChanges(ground),
    platform() {
      if (billing === undefined) throw new Refusal(BILLING_OFF);
      return billing;
    },
    kindOf: createKinds({ currency: config.currency, now: () => clock.now() }),
    async alone(id, work) {
      const lock = await acquireLock(redis, keys.lock(`change:${id}`), LOCK_MS);
      if (lock === undefined) return undefined;
      try {
        return await work(() => lock.held());
      } finally {
        await lock.release();
      }
    },
    standing: (person, needed) => gate.standing(person, needed),
    explain: explainPlatformError,
    vault: config.secretKey && createVault(config.secretKey),
    approvals: config.approvals,
    channel: config.channels.approvals,
    directChannel: createDirectChannel(slack, logger),
    groupFor: createGroupFor(slack, systemStopwatch, logger),
    advance: (id) => jobs.add('changes', 'advance', { id }),
    pause: (ms) => sleep(ms),
    newId: () =>
      Array.from({ length: ID_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
    clock,
    logger,
  };
}

/** Where the card of a change is, once it is posted. */
function linkOf({ redis, keys, slack }: Ground): RequestDeps['link'] {
  const records = createMessageRecords(redis, keys);
  const permalink = createPermalink(slack);
  return async ({ id, channel }) => {
    const ts = (await records.readPlace(channel, cardKey(id)))?.ts;
    return ts === undefined ? undefined : permalink(channel, ts);
  };
}
