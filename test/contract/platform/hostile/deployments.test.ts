import { expect, test } from 'vitest';
import { runsOf } from '../../../support/fast-check.ts';

import type {
  Deployment,
  DeploymentList,
} from '../../../../src/platform/deployments/deployment.ts';
import { ALL_CALLS, DEPLOYMENT_CALLS, methodsOf } from './calls.ts';
import { startClients } from './clients.ts';
import { isDeployment, isDeploymentList } from './deployment-oracle.ts';
import { ofAnswer, prepareTrial, SHARES } from './trial.ts';
import type { Oracle } from './trial.ts';

function isListOf(owner?: string): Oracle {
  return (shown, { documents, isIntact }) =>
    isDeploymentList(shown as DeploymentList, documents, owner, isIntact);
}

const ORACLES: Readonly<Record<string, Oracle>> = {
  'deployments.listGvc': isListOf(),
  'deployments.scanGvc': isListOf(),
  'deployments.listWorkload': isListOf('etl'),
  'deployments.get': ofAnswer((shown: Deployment, said) => isDeployment(shown, said, 'orders-db')),
};
const NAMES = Object.keys(DEPLOYMENT_CALLS);

const trial = prepareTrial(DEPLOYMENT_CALLS);

test('every method of the three clients is tried, 50,000 times in all', async () => {
  const clients = startClients('http://127.0.0.1:9');
  const { billing, usage, deployments } = clients;
  const methods = Object.entries({ billing, usage, deployments }).flatMap(([name, client]) =>
    methodsOf(client, name),
  );
  await clients.close();

  expect(Object.keys(ALL_CALLS).toSorted()).toEqual(methods.toSorted());
  expect(Object.values(SHARES).reduce((sum, share) => sum + share, 0)).toBe(50_000);
});

test.each(NAMES)('a true answer is shown as it was said: %s', async (name) => {
  expect(await trial.unspoiled(name, ORACLES[name]!)).toEqual({ fault: undefined, isShown: true });
});

const RUNS = runsOf(SHARES.deployments);

test(`of ${RUNS} spoiled answers none shows a deployment that was not said`, async () => {
  const { served, shown } = await trial.spoiled(ORACLES, SHARES.deployments);

  expect(served).toBeGreaterThanOrEqual(RUNS);
  // Neither all refused nor all taken: both sides of the client are reached.
  expect(shown).toBeGreaterThan(RUNS / 4);
  expect(shown).toBeLessThan(RUNS);
});
