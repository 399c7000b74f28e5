import { describe, expect, it } from 'vitest';
import {
  type Deployment,
  type DeploymentList,
} from '../../../../src/platform/deployments/deployment.ts';
import { scanItems } from '../../../../src/platform/deployments/client.ts';
import { printOf } from '../../../../src/platform/deployments/print.ts';
import * as fc from '../../../support/fast-check.ts';
import { pathsOf, replaced, type Path } from '../replaced.ts';

const CONTAINER = {
  image: 'shop:11',
  ready: true,
  message: '',
  resources: { replicas: 2, replicasReady: 2, cpu: 100, memory: 128 },
  restarts: { count: 1, exitCode: 0, reason: 'Completed', lastRestartTime: '2026-10-05T12:00:00Z' },
};
const VERSION = {
  workload: 11,
  gvc: 3,
  created: '2026-10-05T12:00:00Z',
  ready: true,
  message: '',
  zone: 'us-west-2a',
  desiredScale: 2,
  containers: { main: CONTAINER, side: CONTAINER },
};
const STATUS = {
  ready: true,
  deploying: false,
  message: '',
  lastProcessedVersion: 11,
  expectedDeploymentVersion: '11',
  desiredScale: 2,
  versions: [VERSION, { ...VERSION, workload: 10 }],
  jobExecutions: [{ name: 'run', status: 'failed', conditions: [{ type: 'Failed' }], message: '' }],
};
const ITEM = {
  name: 'aws-us-west-2',
  status: STATUS,
  links: [{ rel: 'workload', href: '/org/acme/gvc/shop/workload/web' }],
};

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, 0, -0, -1, 1.5, 1e21, 2 ** 40, '', '11', ' 7.0 ', 'x'),
  fc.constantFrom<unknown>(true, false, [], {}, [[]], [null], [{}], { main: null }, { a: {} }),
  fc.jsonValue({ maxDepth: 2 }),
  fc.dictionary(fc.constantFrom('__proto__', 'constructor', 'a'), fc.jsonValue({ maxDepth: 1 })),
);
const changes = fc.array(fc.record({ path: fc.constantFrom(...pathsOf(ITEM)), by: odd }), {
  maxLength: 3,
});
/** An item as it comes out of JSON, with up to three of its parts changed. */
const item = changes.map((all): unknown => {
  const changed = all.reduce<unknown>((value, { path, by }) => replaced(value, path, by), ITEM);
  return changed === undefined ? null : JSON.parse(JSON.stringify(changed));
});

function lazily(items: readonly unknown[]): DeploymentList {
  const { listed: seen, ...rest } = scanItems(JSON.parse(JSON.stringify(items)) as unknown[]);
  return { deployments: seen.map((one) => one.read()), ...rest };
}

/** The fields that a print covers. */
function judged(read: Deployment): unknown {
  const { endpoint: _, remote: __, lastModified: ___, ...rest } = read;
  const container = { image: '', ready: false, cpu: undefined };
  return {
    ...rest,
    versions: rest.versions.map((version) => ({
      ...version,
      containers: version.containers.map((one) => ({ ...one, ...container })),
    })),
  };
}

it('a list whose items are read when asked gives a print to all that is typed as the platform types it', () => {
  expect(printOf(ITEM)).not.toBe('');
  expect(printOf({ ...ITEM, status: { ready: 'yes' } })).toBe('');
});

describe('a print', () => {
  it('is the same only for items that are judged the same', () => {
    fc.assert(
      fc.property(item, item, (one, other) => {
        const [a, b] = [lazily([one]).deployments[0], lazily([other]).deployments[0]];
        if (a === undefined || b === undefined) return;
        const [first, second] = [
          printOf(one as object as never),
          printOf(other as object as never),
        ];
        if (first === '' || first !== second) return;
        expect({ ...(judged(b) as object), workload: '', location: '' }).toEqual({
          ...(judged(a) as object),
          workload: '',
          location: '',
        });
      }),
      { numRuns: 1_500 },
    );
  });

  it('changes with every part that is judged, and with nothing else', () => {
    const without = (path: Path) => printOf(replaced(ITEM, path, null) as typeof ITEM);
    const [, ...paths] = pathsOf(ITEM);

    const kept = paths.filter((path) => without(path) === printOf(ITEM));

    expect(kept).toEqual(paths.filter(isAside));
  });
});

/** Whether the field is the item's name, or is not judged. */
function isAside(path: Path): boolean {
  const [first, last] = [path[0], path.at(-1)];
  if (first === 'name' || first === 'links' || last === 'image' || last === 'cpu') return true;
  return last === 'ready' && path.includes('containers');
}
