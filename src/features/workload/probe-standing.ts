import type { Deployment } from '../../platform/deployments/deployment.ts';
import { statusOf } from '../../rollouts/engine/status.ts';
import { code, mrkdwn } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import { isAnswered } from './probe-calls.ts';
import type { ProbeView, Standing } from './probe-calls.ts';

/** Undefined: a location is ready, so that nothing is to be said. At least one deployment. Pure. */
export function standingOf(deployments: readonly Deployment[]): Standing | undefined {
  if (deployments.some(({ jobExecutions }) => jobExecutions !== undefined)) return 'cron';
  if (deployments.some(({ ready }) => ready)) return undefined;
  // Without a memory, a state does not depend on the time.
  const states = new Set(deployments.map((one) => statusOf(one, undefined, 0).state));
  if (states.size === 1 && states.has('suspended')) return 'suspended';
  const idle = [...states].every((state) => state === 'suspended' || state === 'idle');
  return idle ? 'idle' : 'not-ready';
}

/**
 * What is said of it before anything else, and what to do. Undefined: nothing, also because an earlier
 * version may serve well, and every answer says where it came from.
 */
export function aboutStanding({
  standing,
  calls,
  target,
}: Pick<ProbeView, 'standing' | 'calls' | 'target'>): { is: string; todo: Mrkdwn } | undefined {
  const allWell = calls.every((call) => isAnswered(call) && (call.location ?? call.replica));
  if (standing === undefined || allWell) return undefined;
  const name = `${target.gvc}/${target.workload}`;
  const maybe = mrkdwn`what answers may be an earlier version, or something before the workload`;
  switch (standing) {
    case 'cron':
      return {
        is: 'a cron workload, which serves nothing',
        todo: mrkdwn`Its runs are in ${code(`/deployments jobs ${name}`)}.`,
      };
    case 'suspended':
      return {
        is: 'suspended in all its locations, so nothing serves',
        todo: mrkdwn`It serves again once ${code('suspend')} is set to false.`,
      };
    case 'idle':
      return {
        is: 'no replicas are wanted in any location, so nothing serves',
        todo: mrkdwn`It is suspended, or scaled to zero: ${code(`/deployments ${name}`)} says more.`,
      };
    case 'not-ready':
      return {
        is: 'not ready in any location',
        todo: mrkdwn`See with ${code(`/deployments ${name}`)} why it is not ready; ${maybe}.`,
      };
  }
}
