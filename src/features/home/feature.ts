import { createHash } from 'node:crypto';
import { rightsOf, type Principal } from '../../access/policy.ts';
import type { JobKind } from '../../jobs/jobs.ts';
import { DAY_MS } from '../../lib/time.ts';
import { explainPlatformError } from '../../platform/errors.ts';
import type { Feature, Services } from '../../services.ts';
import { actions, context, lines } from '../../slack/kit/blocks.ts';
import { code, joinMrkdwn, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import { createHome, type Home } from '../../slack/routing/home.ts';
import type { HomePart, Person } from '../../slack/routing/routes.ts';
import { runButton } from '../notices.ts';
import { tasksFor } from '../tasks.ts';

type HomeServices = Pick<
  Services,
  | 'access'
  | 'clock'
  | 'config'
  | 'keys'
  | 'logger'
  | 'native'
  | 'redis'
  | 'scrub'
  | 'slack'
  | 'stopping'
  | 'versions'
>;

/**
 * The parts of the home tab that belong to no other feature, and its publication when a part has changed.
 * @param parts those of all features
 */
export function createHomeFeature(
  services: HomeServices,
  parts: () => readonly HomePart<Principal>[],
): Feature {
  const { access, clock, config, keys, redis } = services;
  return {
    name: 'home',
    home: [
      {
        title: 'Welcome',
        rank: 0,
        // The purpose of Purser, for a person who was never here.
        async fill(person) {
          const last = await redis.zscore(keys.homes, memberOf(person));
          return last === null ? [WELCOME] : [];
        },
      },
      {
        title: 'What next?',
        rank: 50,
        async fill(person) {
          const { tasks } = await tasksFor(access, person);
          return tasks.length === 0 ? [] : [actions(...tasks.map((task) => task.button))];
        },
      },
      {
        // Design section 3: a short `/purser whoami`.
        title: 'Your roles',
        rank: 60,
        async fill(_, who) {
          const principal = await who();
          const roles = rolesOf(principal, config.billing !== undefined);
          return [
            context(joinMrkdwn([roles, rightsOfPerson(principal)], ' · ')),
            actions(runButton('All my rights', '/purser whoami')),
          ];
        },
      },
    ],
    async opened(person) {
      await redis.zadd(keys.homes, clock.now(), memberOf(person));
      await redis.zremrangebyrank(keys.homes, 0, -1 - MAX_PEOPLE);
    },
    jobs: [createRenewal(services, parts)],
  };
}

/** People whose last visit is remembered. */
const MAX_PEOPLE = 10_000;

const memberOf = ({ teamId, userId }: Person): string => `${teamId}/${userId}`;

const WELCOME = lines([
  mrkdwn`*Costs*: what this month has cost so far, and its alert.`,
  mrkdwn`*Rollouts*: what is not healthy, and what channels watch.`,
  mrkdwn`*Approvals*: requests that wait for you, and your own.`,
]);

/** How often Home is compared with what it was last drawn from; so it is drawn at most. Milliseconds. */
const RENEW_MS = 60_000;
/** Drawn at the same time. */
const AT_ONCE = 8;

/** Publishes Home for the people who opened it since yesterday, once something on it has changed. */
function createRenewal(
  services: HomeServices,
  parts: () => readonly HomePart<Principal>[],
): JobKind {
  let home: Home | undefined;
  return {
    queue: 'notifications',
    name: 'home',
    every: RENEW_MS,
    async run() {
      const { access, clock, keys, redis, stopping } = services;
      const prints = await Promise.all([
        // The last known state of the spend alert.
        redis.hget(keys.reported, 'alert'),
        ...parts().map(async ({ fingerprint }) => fingerprint?.()),
      ]);
      const now = createHash('sha1').update(prints.join('\n')).digest('hex');
      // Written before the drawing: what changes meanwhile is drawn by the next run.
      if ((await redis.getset(keys.homesDrawn, now)) === now) return;
      const people = await redis.zrangebyscore(keys.homes, clock.now() - DAY_MS, '+inf');
      const drawing = (home ??= createHome<Principal>(
        { ...services, ...access, explain: explainPlatformError },
        parts(),
      ));
      for (let from = 0; from < people.length && !stopping.aborted; from += AT_ONCE) {
        const some = people.slice(from, from + AT_ONCE).map((one) => one.split('/'));
        await Promise.all(
          some.map(([teamId = '', userId = '']) => drawing.renew({ teamId, userId })),
        );
      }
    },
  };
}

function rolesOf({ email, roles, rolesRefusal }: Principal, isBillingOn: boolean): Mrkdwn {
  if (!isBillingOn) return mrkdwn`billing isn’t set up, so roles are not known`;
  if (rolesRefusal !== undefined) return mrkdwn`${rolesRefusal.replace(/\.$/, '')}`;
  if (email === undefined) return mrkdwn`no role without a confirmed e-mail address in Slack`;
  if (roles === undefined) return mrkdwn`no role: ${code(email)} is no user of the billing account`;
  if (roles.length === 0) return mrkdwn`no billing role`;
  return joinMrkdwn(
    roles.map((role) => code(role, 40)),
    ', ',
  );
}

function rightsOfPerson(who: Principal): Mrkdwn {
  const rights = rightsOf(who);
  const open = rights.filter(({ refusal }) => refusal === undefined).map(({ what }) => what);
  if (open.length === rights.length) return mrkdwn`you may do everything`;
  return open.length === 0 ? mrkdwn`you may do nothing here` : mrkdwn`you may ${open.join('; ')}`;
}
