import { expect, test } from 'vitest';
import { envLines } from './lookup-support.ts';

test('GLOBAL_ENDPOINT has the configured domain', () => {
  expect(envLines('GLOBAL_ENDPOINT', { globalDomain: 'apps.example' })).toEqual([
    '*`SVC_GLOBAL_ENDPOINT`* – canonical Host header',
    '• It looks like `&lt;workloadName&gt;-&lt;gvcAlias&gt;.apps.example`',
  ]);
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
