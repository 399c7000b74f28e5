import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Pool } from 'undici';
import { CREDENTIALS } from '../../src/sandbox/bot.ts';

const TEAM = 'T0BENCH';

/** One signed command, acknowledged. @throws Error when it is not */
export async function command(
  pool: Pool,
  slackUrl: string,
  index: number,
  { command = '/purser', text = 'help' } = {},
): Promise<void> {
  const body = new URLSearchParams({
    command,
    text,
    team_id: TEAM,
    channel_id: 'C0DEPLOYS',
    channel_name: 'deploys',
    user_id: 'U0DANA',
    user_name: 'dana',
    api_app_id: 'A0PURSER',
    trigger_id: `${Date.now()}.${index}`,
    response_url: `${slackUrl}/answers/${index}`,
  }).toString();
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', CREDENTIALS.signingSecret)
    .update(`v0:${timestamp}:${body}`)
    .digest('hex');
  const answer = await pool.request({
    method: 'POST',
    path: '/slack/events',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${signature}`,
    },
    body,
  });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`a command was answered ${answer.statusCode}`);
}

interface SilentSlack {
  url: string;
  /** What was answered to the command of this number so far. */
  answers(index: number): readonly string[];
  close(): void;
}

/** A Slack that says yes to everything: what it costs is no part of what is measured. */
export async function startSilentSlack(): Promise<SilentSlack> {
  const user = { id: 'U0DANA', team_id: TEAM, profile: { email: 'dana@acme.example' } };
  const yes = JSON.stringify({
    ok: true,
    user,
    user_id: 'U0PURSER',
    bot_id: 'B0PURSER',
    team_id: TEAM,
    channel: 'C0DEPLOYS',
    ts: '1790000000.000100',
    messages: [],
  });
  const answers = new Map<string, string[]>();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const path = request.url ?? '';
      if (path.startsWith('/answers/')) answers.set(path, [...(answers.get(path) ?? []), body]);
      const isWhoAmI = request.url?.includes('auth.test') === true;
      const answer = isWhoAmI ? yes.replace(JSON.stringify(user), '"purser"') : yes;
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers: (index) => answers.get(`/answers/${index}`) ?? [],
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
