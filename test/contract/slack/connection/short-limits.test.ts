import { expect, it } from 'vitest';
import { Secret } from '../../../../src/lib/secret.ts';
import { createSlackClient } from '../../../../src/slack/client.ts';
import { listen } from '../../../support/http.ts';
import { listeningLogger } from '../support.ts';

it.each([
  ['over soon', '1', ['over', 2]],
  ['longer than a person waits', '4', ['limited', 1]],
])('a limit of Slack that is %s', async (_, seconds, expected) => {
  let calls = 0;
  const slack = await listen((_request, response) => {
    calls += 1;
    if (calls > 1) response.end('{"ok":true,"user":{"id":"U1"}}');
    else response.writeHead(429, { 'retry-after': seconds }).end();
  });
  const { logger } = listeningLogger();
  const client = createSlackClient(new Secret('xoxb-token'), `${slack.url}/api/`, logger);

  const end = await client.users.info({ user: 'U1' }).then(
    () => 'over',
    () => 'limited',
  );

  expect([end, calls]).toEqual(expected);
  await slack.close();
});
