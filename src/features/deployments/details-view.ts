import type { KnownBlock } from '@slack/types';
import type {
  Container,
  Deployment,
  DeploymentVersion,
} from '../../platform/deployments/deployment.ts';
import type { DeploymentStatus } from '../../rollouts/engine/status.ts';
import { byUrgency } from '../../rollouts/engine/urgency.ts';
import { SIGNS } from '../../rollouts/messages/words.ts';
import { plural } from '../../lib/text.ts';
import {
  code,
  context,
  joinMrkdwn,
  moment,
  mrkdwn,
  Mrkdwn,
  section,
} from '../../slack/kit/index.ts';
import type { ModalContent } from '../../slack/routes.ts';
import { nameOf } from './place.ts';
import type { Target } from './place.ts';

export const DETAILS_TITLE = 'Deployment details';

/** Each takes two blocks of the hundred that a modal has. */
const MAX_DEPLOYMENTS = 45;
const MESSAGE_LENGTH = 300;

/** A deployment with how it is judged. `since`: since when the watch engine has seen it so, in milliseconds since the epoch. */
export interface DetailedDeployment {
  deployment: Deployment;
  status: DeploymentStatus;
  since: number | undefined;
}

/** Everything that the platform tells of the deployments of a place: zones, containers, images, resources, restarts. Pure. */
export function detailsModal(
  place: { org: string; target: Target },
  entries: readonly DetailedDeployment[],
): ModalContent {
  const { org, target } = place;
  const sorted = [...entries].sort((a, b) => byUrgency(a.status, b.status));
  const rest = sorted.length - MAX_DEPLOYMENTS;
  return {
    title: DETAILS_TITLE,
    blocks: [
      section(mrkdwn`*${nameOf(target)}* in org ${org}`),
      ...sorted.slice(0, MAX_DEPLOYMENTS).flatMap(deploymentBlocks),
      ...(rest > 0
        ? [context(mrkdwn`${plural(rest, 'more deployment')}: ask for one workload to see them`)]
        : []),
    ],
  };
}

function deploymentBlocks({ deployment, status, since }: DetailedDeployment): KnownBlock[] {
  const sign = new Mrkdwn(SIGNS[status.state]);
  const began = since === undefined ? mrkdwn`` : mrkdwn`, seen since ${moment(since)}`;
  const head = mrkdwn`${sign} *${deployment.workload}* in *${deployment.location}* – ${status.state}${began}`;
  const versions = deployment.versions.flatMap(versionLines);
  const lines = [head, ...(versions.length > 0 ? versions : [mrkdwn`No version is reported.`])];
  return [section(joinMrkdwn(lines, '\n')), context(foot(deployment))];
}

function foot({ endpoint, message }: Deployment): Mrkdwn {
  const parts = [
    endpoint === undefined ? mrkdwn`no endpoint is reported` : mrkdwn`endpoint ${code(endpoint)}`,
    ...(message === '' ? [] : [code(message, MESSAGE_LENGTH)]),
  ];
  return joinMrkdwn(parts, ' · ');
}

function versionLines(version: DeploymentVersion): Mrkdwn[] {
  const facts = [
    version.ready ? 'ready' : 'not ready',
    version.gvc > 0 ? `GVC v${version.gvc}` : '',
    version.zone === undefined ? '' : `zone ${version.zone}`,
    version.desiredScale === undefined ? '' : `${plural(version.desiredScale, 'replica')} wanted`,
  ].filter((fact) => fact !== '');
  const began =
    version.created === undefined ? mrkdwn`` : mrkdwn`, from ${moment(version.created)}`;
  const said =
    version.message === '' ? mrkdwn`` : mrkdwn`: ${code(version.message, MESSAGE_LENGTH)}`;
  return [
    mrkdwn`*v${version.workload}* ${facts.join(', ')}${began}${said}`,
    ...version.containers.map((one) => containerLine(one)),
  ];
}

/** "• main `image` 2/2 ready, 250 millicores, 512 MiB, 1 restart". */
export function containerLine(container: Container, readiness = share(container)): Mrkdwn {
  const { cpu, memory } = container;
  const facts = [
    readiness,
    cpu === undefined ? '' : `${cpu} millicores`,
    memory === undefined ? '' : `${memory} MiB`,
  ].filter((fact) => fact !== '');
  const image = container.image === '' ? mrkdwn`` : mrkdwn` ${code(container.image)}`;
  const said =
    container.message === '' ? mrkdwn`` : mrkdwn`: ${code(container.message, MESSAGE_LENGTH)}`;
  return mrkdwn`• ${container.name}${image} ${facts.join(', ')}${restarts(container)}${said}`;
}

function share({ replicas, replicasReady }: Container): string {
  return replicas === undefined ? '' : `${replicasReady ?? 0}/${replicas} ready`;
}

function restarts({ restarts: all }: Container): Mrkdwn {
  if (all?.count === undefined || all.count === 0) return mrkdwn``;
  const why = [all.reason, all.exitCode === undefined ? '' : `exit code ${all.exitCode}`].filter(
    (part) => part !== '',
  );
  const last =
    all.lastRestartTime === undefined ? mrkdwn`` : mrkdwn`, last ${moment(all.lastRestartTime)}`;
  const reasons = why.length === 0 ? mrkdwn`` : mrkdwn` (${why.join(', ')})`;
  return mrkdwn`, ${plural(all.count, 'restart')}${reasons}${last}`;
}
