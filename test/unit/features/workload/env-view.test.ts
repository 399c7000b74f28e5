import { describe, expect, test } from 'vitest';
import { envLines, variable } from './lookup-support.ts';

/** What is read of a variable of which no more is known than its meaning. */
function plainly(name: string, meaning: string): string[] {
  return [`• \`SVC_${name}\` – ${meaning}`, `*\`SVC_${name}\`* – ${meaning}`];
}

describe('the built-in variables of a workload', () => {
  test('GLOBAL_ENDPOINT is the canonical Host header, with the configured domain', () => {
    const shown = envLines('GLOBAL_ENDPOINT', { globalDomain: 'apps.example' });

    expect(shown).toEqual([
      '*`SVC_GLOBAL_ENDPOINT`* – canonical Host header',
      '• It looks like `&lt;workloadName&gt;-&lt;gvcAlias&gt;.apps.example`',
    ]);
  });

  test('GVC is the name of the GVC', () => {
    expect(variable('GVC')).toEqual(plainly('GVC', 'GVC name'));
  });

  test('GVC_ALIAS is an alias of 13 letters and digits', () => {
    expect(variable('GVC_ALIAS')).toEqual(
      plainly('GVC_ALIAS', '13-character alphanumeric alias of the GVC'),
    );
  });

  test('LOCATION is the serving location', () => {
    expect(variable('LOCATION')).toEqual(
      plainly('LOCATION', 'serving location, e.g. provider-region form'),
    );
  });

  test('NAMESPACE is a generated random string', () => {
    expect(variable('NAMESPACE')).toEqual(plainly('NAMESPACE', 'generated random string'));
  });

  test('PROVIDER is the cloud provider of the location', () => {
    expect(variable('PROVIDER')).toEqual(
      plainly('PROVIDER', 'cloud provider of the serving location'),
    );
  });

  test('ORG is the name of the org', () => {
    expect(variable('ORG')).toEqual(plainly('ORG', 'org name'));
  });

  test('WORKLOAD is the name of the workload', () => {
    expect(variable('WORKLOAD')).toEqual(plainly('WORKLOAD', 'workload name'));
  });

  test('WORKLOAD_VERSION changes only when a change has to be applied', () => {
    const meaning =
      'numeric workload version; changes only when a change has to be applied (a scaling-only change does not change it)';

    expect(variable('WORKLOAD_VERSION').slice(0, 2)).toEqual(plainly('WORKLOAD_VERSION', meaning));
  });

  test('WORKLOAD_VERSION tracks the version that deployments report', () => {
    expect(envLines('version')).toContain(
      '• It tracks the version of the workload, which its deployments report as well',
    );
  });

  test('TOKEN is for the API and the CLI, sent plain, and good in its workload alone', () => {
    const meaning = 'authorization token for the API and CLI';
    const shown = variable('TOKEN');

    expect(shown.slice(0, 2)).toEqual(plainly('TOKEN', meaning));
    expect(shown).toContain(
      '• Send it as the plain value of the Authorization header, without Bearer, to the org path of the API',
    );
    expect(shown).toContain('• As the whole value of the header `Authorization`: `$SVC_TOKEN`');
    expect(shown).toContain(
      '• It is valid only when the request comes from the workload it was injected in: from another workload or from outside it yields 403',
    );
  });

  test('TOKEN reads the parent org also for a workload without an identity', () => {
    expect(envLines('token')).toContain(
      '• Without an assigned identity the workload can still read its parent org',
    );
  });

  test('TOKEN gets rights through policies on the identity of the workload', () => {
    expect(envLines('identity')).toContain('• A workload identity can be the target of a policy');
  });

  test('IMAGE is the image as defined for the container', () => {
    expect(variable('IMAGE')).toEqual(plainly('IMAGE', 'the image as defined for the container'));
  });
});

test('a domain that is not configured is a placeholder, with the variable that is missing', () => {
  const endpoint = '`&lt;workloadName&gt;-&lt;gvcAlias&gt;.{global_domain}`';
  const reason = '`{global_domain}` stands here because `GLOBAL_DOMAIN` is not set';

  expect(envLines()).toContain(`• \`SVC_GLOBAL_ENDPOINT\` – canonical Host header, ${endpoint}`);
  expect(envLines()).toContain(reason);
  expect(envLines('endpoint')).toContain(reason);
  expect(envLines('gvc')).not.toContain(reason);
  expect(envLines(undefined, { globalDomain: 'apps.example' })).not.toContain(reason);
});
