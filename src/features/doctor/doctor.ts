import { ADMINS, denied } from '../../access/policy.ts';
import { createChangeStore } from '../../changes/store.ts';
import { Refusal } from '../../lib/errors.ts';
import { scrubStrings } from '../../lib/secret.ts';
import { withoutStop } from '../../lib/text.ts';
import { settledWithin } from '../../lib/time.ts';
import { explainPlatformError } from '../../platform/errors.ts';
import { createWatches } from '../../rollouts/watches.ts';
import type { Services } from '../../services.ts';
import type { SlackConnection } from '../../slack/connection/connection.ts';
import { isChannelMember } from '../../slack/directory.ts';
import type { Answer, CommandContext, Person } from '../../slack/routing/routes.ts';
import { createBillingCheck } from './billing.ts';
import { createChannelCheck } from './channels.ts';
import { createClockCheck } from './clock.ts';
import { createOrgsCheck } from './orgs.ts';
import {
  type Check,
  CHECK_TIMEOUT_MS,
  type CheckServices,
  type Finding,
  judge,
  probe,
  RUN_AGAIN,
} from './probe.ts';
import { createRedisCheck } from './redis.ts';
import { createSettingsCheck } from './settings.ts';
import { createGroupCheck, createSlackCheck } from './slack.ts';
import { doctorAnswer } from './view.ts';
import { createPollCheck, createWorkCheck } from './work.ts';

/** @param connection undefined: this process does not listen to Slack */
export function createDoctor(
  services: Services,
  connection: () => Pick<SlackConnection, 'connected' | 'port'> | undefined,
): (context: CommandContext) => Promise<Answer> {
  const watches = createWatches(services);
  const examine = createExamination(services, [
    createSlackCheck(services, connection),
    createChannelCheck(services, watches),
    createGroupCheck(services),
    createOrgsCheck(services, watches),
    createBillingCheck(services),
    createRedisCheck(services),
    createClockCheck(services),
    createWorkCheck(services, createChangeStore(services)),
    createPollCheck(services, watches),
    createSettingsCheck(services),
  ]);
  return createDoctorDoor(services, examine);
}

/**
 * Opens the doctor to billing admins and to the members of an OPS_CHANNEL that is set by itself. In that channel no call
 * is needed for it, so the doctor also runs while Slack or the platform is away. Where it cannot be known who these
 * people are, such as with a wrong account id, it is open to all members: it is there to find that out.
 */
export function createDoctorDoor(
  { access, config, slack }: CheckServices<'access' | 'slack', 'ownOpsChannel'>,
  examine: () => Promise<Answer>,
): (context: CommandContext) => Promise<Answer> {
  const { ownOpsChannel: ownOps } = config;
  return async (context) => {
    const isOperator =
      ownOps === undefined ? undefined : await isChannelMember(slack, context, ownOps);
    if (isOperator && context.channelId === ownOps) return privately(await examine());
    const isAdmin = await isBillingAdmin(access, context.person);
    if (isAdmin) return examine();
    const isClosed = isAdmin === false || isOperator === false;
    if (isClosed && !isOperator) throw denied('role', ownOps === undefined ? ADMINS_ONLY : CLOSED);
    return privately(await examine());
  };
}

/** Undefined when it cannot be known. @throws Refusal for people without access to the bot */
async function isBillingAdmin(
  access: Pick<Services['access'], 'requireRole'>,
  person: Person,
): Promise<boolean | undefined> {
  try {
    await access.requireRole(person, ADMINS);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.why === 'role') return false;
    if (error.why !== undefined) throw error;
    return undefined;
  }
}

/** Sharing takes the right of an admin; opening more of the answer does not. */
function privately({ shareable: _shareable, needs: _needs, ...own }: Answer): Answer {
  return own;
}

const CLOSED =
  'Only a billing_admin and members of OPS_CHANNEL can run /purser doctor: ask one of them to run it.';
const ADMINS_ONLY =
  'Only a billing_admin can run /purser doctor: ask one to run it, or ask your Purser administrator to set OPS_CHANNEL to a channel that you are in.';

/** Each run makes some dozen calls, so its answer is shared for this long. Milliseconds. */
const CACHE_MS = 60_000;

/**
 * Runs all checks at once, each with its own deadline (ADR 14). Questions during a run share its
 * result.
 * @param limits milliseconds: the time of one check, and then to return partial results
 */
export function createExamination(
  services: Pick<Services, 'clock' | 'logger' | 'scrub' | 'stopwatch'>,
  checks: readonly Check[],
  limits: { readonly timeoutMs?: number; readonly graceMs?: number } = {},
): () => Promise<Answer> {
  const { clock, logger, scrub, stopwatch } = services;
  const { timeoutMs = CHECK_TIMEOUT_MS, graceMs = 1_000 } = limits;
  let running: ReturnType<typeof examine> | undefined;
  let last: Awaited<ReturnType<typeof examine>> | undefined;

  /** After its deadline a check has a moment to return partial results. Never rejects. */
  async function findingsOf(check: Check): Promise<readonly Finding[]> {
    const ending = new AbortController();
    const slow = tooSlow(check.area, timeoutMs);
    const found = (async () => check.run(ending.signal))().catch((error: unknown) =>
      ending.signal.aborted ? slow : failed(logger, check.area, error),
    );
    if (await settledWithin(found, timeoutMs)) return found;
    ending.abort();
    return (await settledWithin(found, graceMs)) ? found : slow;
  }

  async function examine() {
    const began = stopwatch.elapsed();
    const areas = await Promise.all(
      checks.map(async (check) => ({ area: check.area, findings: await findingsOf(check) })),
    );
    // On the stopwatch: the machine's clock may be set meanwhile.
    const endedAt = stopwatch.elapsed();
    // Findings may quote foreign text, so secrets are removed.
    const shown = scrubStrings(areas, scrub);
    const answer = doctorAnswer({ areas: shown, at: clock.now(), tookMs: endedAt - began });
    return { answer, endedAt };
  }

  return async () => {
    if (last !== undefined && stopwatch.elapsed() - last.endedAt < CACHE_MS) return last.answer;
    running ??= examine().finally(() => (running = undefined));
    last = await running;
    return last.answer;
  };
}

export function tooSlow(what: string, timeoutMs: number): Finding[] {
  const says = `slow: not everything could be checked within ${Math.round(timeoutMs / 1_000)} s`;
  const fix = 'if it is slow again, check that what is asked there answers at all';
  return judge([probe(what, false, { [`? ${says} → ${RUN_AGAIN}; ${fix}`]: true })]);
}

function failed(logger: Services['logger'], what: string, error: unknown): Finding[] {
  const says = explainPlatformError(error)?.replace(/: please try again in a minute\.$/, '');
  if (says === undefined) logger.error({ err: error, area: what }, 'A check of the doctor failed');
  const wrong = {
    [`! ${withoutStop(says ?? '')} → ${RUN_AGAIN}`]: says,
    '! the check itself failed, so nothing is known about it → search Purser’s log for `A check of the doctor failed`': true,
  };
  return judge([probe(what, false, wrong)]);
}
