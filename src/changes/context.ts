import { createCipheriv, createDecipheriv, randomBytes, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Authorizer } from '../access/authorizer.ts';
import {
  ADMINS,
  decisionRefusal,
  denied,
  lacks,
  requestRefusal,
  soloRefusal,
  type ChangeRules,
  type Denial,
  type RequestNeed,
  type Principal,
} from '../access/policy.ts';
import type { Config } from '../config/config.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { type DerivedKeys, derivedKeys } from '../lib/derived-key.ts';
import { Secret } from '../lib/secret.ts';
import { DAY_MS } from '../lib/time.ts';
import type { Services } from '../services.ts';
import { createDirectChannel, createGroupFor } from '../slack/directory.ts';
import type { Person } from '../slack/routing/routes.ts';
import { createDurability, type Durability } from '../store/server.ts';
import { acquireLock } from '../store/redis.ts';
import type { Actor, Change } from './change.ts';
import type { Planned } from './kinds/kind.ts';
import { createKinds, type AnyKind, type ChangeInput } from './kinds/kinds.ts';
import { createChangeStore, type ChangeStore } from './store.ts';

export type SecretCipher = ReturnType<typeof createSecretCipher>;

type SecretOwner = Pick<Change, 'id' | 'requester'>;

const CIPHER = 'aes-256-gcm';
/** The header, in bytes: format version, a nonce that is never reused, the authentication tag. */
const [VERSION, NONCE, TAG] = [1, 12, 16];
const THIS_WAY = 1;

/** The first key seals, and any opens. */
export function createSecretCipher(keys: () => DerivedKeys) {
  return {
    /** Bound to the change and to its requester: it opens for these only. */
    seal(owner: SecretOwner, secret: Secret): string {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv(CIPHER, keys()[0], nonce, { authTagLength: TAG });
      cipher.setAAD(boundTo(owner));
      const text = Buffer.concat([cipher.update(secret.reveal(), 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(THIS_WAY), nonce, cipher.getAuthTag(), text]).toString(
        'base64',
      );
    },
    /** @throws when it was altered, was sealed for another owner, or no key fits */
    open(owner: SecretOwner, sealed: string): Secret {
      for (const key of keys()) {
        try {
          return new Secret(opened(key, owner, Buffer.from(sealed, 'base64')));
        } catch {
          // The cause may hold parts of the secret.
        }
      }
      throw new Error('a sealed secret cannot be opened: it was altered, or the key is another');
    },
  };
}

function boundTo({ id, requester }: SecretOwner): Buffer {
  return Buffer.from(JSON.stringify([id, requester.userId]));
}

function opened(key: Buffer, owner: SecretOwner, sealed: Buffer): string {
  if (sealed[0] !== THIS_WAY) throw new Error('it was sealed in another way');
  const nonce = sealed.subarray(VERSION, VERSION + NONCE);
  const tag = sealed.subarray(VERSION + NONCE, VERSION + NONCE + TAG);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG });
  decipher.setAAD(boundTo(owner));
  decipher.setAuthTag(tag);
  const text = sealed.subarray(VERSION + NONCE + TAG);
  return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
}

export function rulesOf(
  { kindOf }: Pick<ChangeContext, 'kindOf'>,
  input: ChangeInput,
): ChangeRules {
  const kind = kindOf(input);
  const needs = needsOf(kind, 'own' in input && input.own === true);
  const org = needs.request === 'orgs' && 'org' in input ? input.org : undefined;
  return { ...needs, subjects: kind.subjects(input), account: kind.account?.(input), org };
}

/** @param isOwn asked for by the person whose roles these are, with Ask for access */
export function needsOf({ needs }: AnyKind, isOwn: boolean): Omit<ChangeRules, 'subjects'> {
  return isOwn ? { ...needs, request: 'oneself', own: true } : needs;
}

/** The plan of a change now, by a fresh read. @throws PlatformError, Refusal */
export async function planNow(
  { kindOf, billing, clock }: Pick<ChangeContext, 'kindOf' | 'billing' | 'clock'>,
  input: ChangeInput,
): Promise<Planned> {
  const kind = kindOf(input);
  return kind.plan(await kind.read(billing(), input), input, clock.now());
}

/** Whether it is this person's own request; access has checked that they are of this workspace. Pure. */
export function isRequester(
  { requester }: Pick<Change, 'requester'>,
  { userId }: Pick<Person, 'userId'>,
): boolean {
  return requester.userId === userId;
}

/** Why a change is off: CHANGES=off, or its secret could not be encrypted without SECRET_KEY (ADR 13). Pure. */
export function offRefusal(
  { cipher, kindOf, off }: Pick<ChangeContext, 'cipher' | 'kindOf' | 'off'>,
  input: ChangeInput,
): string | undefined {
  if (off !== undefined) return off;
  return cipher === undefined && kindOf(input).hasSecret(input) ? NO_CIPHER : undefined;
}

export const CHANGES_OFF =
  'Changes are switched off here (CHANGES=off): ask your Purser administrator.';
const NO_CIPHER =
  'This is off here, because the platform answers with a secret that has to be kept encrypted until it is revealed: your Purser administrator has to set SECRET_KEY.';

/**
 * Reads a person's current rights and applies the policy. Every method throws a Refusal when Slack or the platform does
 * not answer.
 */
export function createPolicy({ access, approvals }: Pick<ChangeContext, 'access' | 'approvals'>) {
  const principal = (
    person: Person,
    { org }: ChangeRules,
    ...needs: readonly RequestNeed[]
  ): Promise<Principal> =>
    access.principal(person, {
      orgs: needs.includes('orgs'),
      org,
      uses: needs.flatMap((need) => (typeof need === 'string' ? [] : need.roles)),
    });

  return {
    /** Whether a person may request it now. @param isSolo no second person reviews it */
    async asker(
      person: Person,
      rules: ChangeRules,
      isSolo = !needsReview(approvals, rules),
    ): Promise<Judged> {
      const who = await principal(person, rules, rules.request, ...(isSolo ? [rules.approve] : []));
      return { who, refusal: (isSolo ? soloRefusal : requestRefusal)(rules, who) };
    },
    async decider(
      person: Person,
      rules: ChangeRules,
      requester: Parameters<typeof decisionRefusal>[1],
    ): Promise<Judged> {
      const who = await principal(person, rules, rules.approve);
      return { who, refusal: decisionRefusal(rules, requester, who, approvals.allowSelf) };
    },
  };
}

/** A person with current rights, and why these are not enough. */
interface Judged {
  readonly who: Principal;
  readonly refusal: Denial | undefined;
}

/** Also with APPROVALS=off: a person does not confirm their own account. Pure. */
export function needsReview(
  { required }: Pick<Config['approvals'], 'required'>,
  { request }: Pick<ChangeRules, 'request'>,
): boolean {
  return required || request === 'oneself';
}

export function allowed({ who, refusal }: Judged): Principal {
  if (refusal !== undefined) throw denied(refusal.why, refusal.sentence, refusal.roles);
  return who;
}

/** A person as a change records them, with the current addresses from Slack. Pure. */
export function actorOf(
  { userId, teamId }: Pick<Actor, 'userId' | 'teamId'>,
  { email, unconfirmed }: Principal,
): Actor {
  return { userId, teamId, email, unconfirmed };
}

/** The people who see a change (ADR 13): a billing_admin, its requester, and anyone with a role that approves it. Pure. */
export function maySee(change: Change, who: Principal): boolean {
  return isAdmin(who) || isRequester(change, who) || mayApprove(change, who);
}

export function isAdmin({ roles = [] }: Principal): boolean {
  return ADMINS.some((role) => roles.includes(role));
}

/** Whether the person may decide on it, by the rights given; the review service checks again. */
export function mayDecide(
  { kindOf, approvals }: Pick<ChangeContext, 'kindOf' | 'approvals'>,
  { order, requester }: Change,
  who: Principal,
): boolean {
  const rules = rulesOf({ kindOf }, order);
  return decisionRefusal(rules, requester, who, approvals.allowSelf) === undefined;
}

function mayApprove({ approvers }: Change, { roles = [] }: Principal): boolean {
  return approvers.some((role) => roles.includes(role));
}

/** @throws Refusal for anyone but a billing_admin: the audit as a whole is theirs alone */
export function requireAdmin(who: Principal): void {
  allowed({ who, refusal: lacks({ roles: ADMINS }, who) });
}

/** The requests of one person in a day, from the first one on. */
export interface DayCount {
  readonly count: number;
  /** Milliseconds until the day is over. */
  readonly leftMs: number;
}

export interface ChangeContext extends Pick<Services, 'billing' | 'clock' | 'logger'> {
  readonly access: Pick<Authorizer, 'principal'>;
  readonly changes: ChangeStore;
  readonly kindOf: (input: Pick<ChangeInput, 'kind'>) => AnyKind;
  /**
   * Runs `work` while holding the lock of a change or a resource; undefined when another process holds it. `held` says
   * whether the lock still holds.
   */
  readonly withLock: <T>(
    name: string,
    work: (held: () => boolean) => Promise<T>,
  ) => Promise<T | undefined>;
  /** Absent without SECRET_KEY: kinds with secrets are off. */
  readonly cipher?: SecretCipher | undefined;
  /** The requests of this person; `another`: with one more from now on. Absent: there is no limit (PERSON_LIMIT=0). */
  readonly countRequests?: ((userId: string, another: boolean) => Promise<DayCount>) | undefined;
  readonly approvals: Config['approvals'];
  /** Why no change is requested, approved, sent or revealed; absent: changes are on. */
  readonly off?: string | undefined;
  readonly channel: string;
  /** The person's messages with the bot; undefined when Slack does not answer. */
  readonly directChannel: (userId: string) => Promise<string | undefined>;
  /** The user group whose handle names one of these roles; undefined: no such group. */
  readonly groupFor: (roles: readonly string[]) => Promise<string | undefined>;
  readonly jobs: Pick<Jobs, 'add'>;
  readonly durability: Durability;
  /** Absent: the read-back state is not read again. */
  readonly pause?: (ms: number) => Promise<void>;
  readonly newId: () => string;
}

/** A worker that dies leaves its change to the next one after this time. Milliseconds. */
const LOCK_MS = 15_000;

/** Without letters and digits that are easily mistaken for one another. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const ID_LENGTH = 8;

export function createChangeContext(
  services: Pick<
    Services,
    | 'access'
    | 'billing'
    | 'clock'
    | 'config'
    | 'identities'
    | 'jobs'
    | 'keys'
    | 'logger'
    | 'outbox'
    | 'redis'
    | 'slack'
    | 'stopwatch'
    | 'wake'
  >,
): ChangeContext {
  const { access, billing, clock, config, identities, jobs, keys, logger, redis, slack } = services;
  return {
    access,
    billing,
    clock,
    jobs,
    logger,
    durability: createDurability(services),
    changes: createChangeStore(services),
    kindOf: createKinds(config.currency, identities),
    async withLock(name, work) {
      const lock = await acquireLock(redis, keys.lock(`change:${name}`), LOCK_MS);
      if (lock === undefined) return undefined;
      try {
        return await work(() => lock.held());
      } finally {
        await lock.release();
      }
    },
    cipher: config.secretKey && createSecretCipher(derivedKeys(config, 'secrets')),
    countRequests: config.personLimit > 0 ? createRequestCount(services) : undefined,
    approvals: config.approvals,
    off: config.changesOff ? CHANGES_OFF : undefined,
    channel: config.channels.approvals,
    directChannel: createDirectChannel(slack, logger),
    groupFor: createGroupFor(slack, services.stopwatch, logger),
    pause: (ms) => sleep(ms),
    newId: () =>
      Array.from({ length: ID_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  };
}

export function createRequestCount({
  redis,
  keys,
}: Pick<Services, 'redis' | 'keys'>): NonNullable<ChangeContext['countRequests']> {
  return async (userId, another) => {
    const key = keys.personRequests(userId);
    if (!another) return { count: Number(await redis.get(key)), leftMs: await redis.pttl(key) };
    // In this order, so that a key without an end never exists.
    await redis.set(key, 0, 'PX', DAY_MS, 'NX');
    return { count: await redis.incr(key), leftMs: await redis.pttl(key) };
  };
}

export function enqueue({ jobs }: Pick<ChangeContext, 'jobs'>, id: string): Promise<void> {
  return jobs.add('changes', 'advance', { id });
}

/** As `enqueue`; when that fails, the next sweep advances it. */
export async function enqueueOrSweep(
  context: Pick<ChangeContext, 'jobs' | 'logger'>,
  id: string,
): Promise<void> {
  try {
    await enqueue(context, id);
  } catch (error) {
    context.logger.warn({ err: error, change: id }, 'a change waits for the next sweep');
  }
}
