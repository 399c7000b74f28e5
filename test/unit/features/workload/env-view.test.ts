import { expect, test } from 'vitest';
import { envLines, envRows } from './lookup-support.ts';

test('GLOBAL_ENDPOINT has the configured domain', () => {
  expect(envLines('GLOBAL_ENDPOINT', { globalDomain: 'apps.example' })).toEqual([
    '*`SVC_GLOBAL_ENDPOINT`* – canonical Host header',
    '• It looks like `&lt;workloadName&gt;-&lt;gvcAlias&gt;.apps.example`',
  ]);
});

test('a domain that is not configured is a placeholder, with the variable that is missing', () => {
  const reason = '`{global_domain}` is shown because `GLOBAL_DOMAIN` is not set';

  expect(envRows()[0]).toEqual([
    'SVC_GLOBAL_ENDPOINT',
    'canonical Host header',
    '<workloadName>-<gvcAlias>.{global_domain}',
  ]);
  expect(envLines()).toContain(reason);
  expect(envLines('endpoint')).toContain(reason);
  expect(envLines('gvc')).not.toContain(reason);
  expect(envLines(undefined, { globalDomain: 'apps.example' })).not.toContain(reason);
});

test('every built-in variable is listed as section 2.15 has it', () => {
  expect(envRows().map(([name, meaning]) => [name, meaning])).toEqual([
    ['SVC_GLOBAL_ENDPOINT', 'canonical Host header'],
    ['SVC_GVC', 'GVC name'],
    ['SVC_GVC_ALIAS', '13-character alphanumeric alias of the GVC'],
    ['SVC_LOCATION', 'serving location, e.g. provider-region form'],
    ['SVC_NAMESPACE', 'generated random string'],
    ['SVC_PROVIDER', 'cloud provider of the serving location'],
    ['SVC_ORG', 'org name'],
    ['SVC_WORKLOAD', 'workload name'],
    [
      'SVC_WORKLOAD_VERSION',
      'numeric workload version; changes only when a change has to be applied (a scaling-only change does not change it)',
    ],
    ['SVC_TOKEN', 'authorization token for the API and CLI'],
    ['SVC_IMAGE', 'the image as defined for the container'],
  ]);
});

test('TOKEN names the rights of its identity, WORKLOAD_VERSION where it is reported', () => {
  expect(envLines('TOKEN')).toEqual([
    '*`SVC_TOKEN`* – authorization token for the API and CLI',
    '• Send it as the plain value of the Authorization header, without Bearer, to the org path of the API',
    '• It is valid only when the request comes from the workload it was injected in: from another workload or from outside it yields 403',
    '• Without an assigned identity the workload can still read its parent org',
    '• A workload identity can be the target of a policy',
    '• As the whole value of the header `Authorization`: `$SVC_TOKEN`',
  ]);
  expect(envLines('WORKLOAD_VERSION')).toEqual([
    '*`SVC_WORKLOAD_VERSION`* – numeric workload version; changes only when a change has to be applied (a scaling-only change does not change it)',
    '• It tracks the version of the workload, which its deployments report as well',
  ]);
});
