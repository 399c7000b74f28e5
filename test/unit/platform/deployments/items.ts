import type {
  Deployment,
  DeploymentList,
} from '../../../../src/platform/deployments/deployment.ts';
import { readAll, scanItems } from '../../../../src/platform/deployments/client.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';

/** A list as the bot reads it, sent through JSON as the platform would. */
export function read(items: readonly unknown[]): DeploymentList {
  return readAll(scanItems(JSON.parse(JSON.stringify(items)) as unknown[]));
}

/** One deployment with this status. */
export function readOne(status: object): Deployment {
  const [deployment] = read([{ ...item('web'), status }]).deployments;
  if (deployment === undefined) throw new Error('the item could not be read');
  return deployment;
}

export function item(workload: string) {
  return {
    kind: 'deployment',
    name: 'aws-us-west-2',
    status: { ready: true, expectedDeploymentVersion: 11, lastProcessedVersion: 11 },
    links: [{ rel: 'workload', href: `/org/acme/gvc/shop/workload/${workload}` }],
  };
}

/** Whether the reader did its work or threw an error that it may throw. */
export function isReadOrRefused(reader: () => unknown): boolean {
  try {
    reader();
    return true;
  } catch (error) {
    return error instanceof PlatformError;
  }
}
