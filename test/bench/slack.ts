import type { Pool } from 'undici';
import { CREDENTIALS } from '../../src/sandbox/bot.ts';
import { listen, signedHeaders } from '../support/http.ts';

/** The workspace of all stand-ins without people. */
export const TEAM = 'T0BENCH';

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
  const answer = await pool.request({
    method: 'POST',
    path: '/slack/events',
    headers: signedHeaders(CREDENTIALS.signingSecret, body),
    body,
  });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`a command was answered ${answer.statusCode}`);
}

export type SilentSlack = Awaited<ReturnType<typeof startSilentSlack>>;

/** A Slack that says yes to everything: its own cost is not measured. */
export async function startSilentSlack() {
  const user = { id: 'U0DANA', team_id: TEAM, profile: { email: 'dana@acme.example' } };
  const yes = {
    ok: true,
    user,
    user_id: 'U0PURSER',
    bot_id: 'B0PURSER',
    team_id: TEAM,
    channel: 'C0DEPLOYS',
    ts: '1790000000.000100',
    messages: [],
  };
  const answers = new Map<string, string[]>();
  const waiting = new Map<string, () => void>();
  const { url, close } = await listen(({ url: path = '' }, response, body) => {
    if (path.startsWith('/answers/')) {
      answers.set(path, [...(answers.get(path) ?? []), body]);
      waiting.get(path)?.();
      waiting.delete(path);
    }
    const answer = path.includes('auth.test') ? { ...yes, user: 'purser' } : yes;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  return {
    url,
    /** The answers so far to the command of this number. */
    answers: (index: number): readonly string[] => answers.get(`/answers/${index}`) ?? [],
    /** Resolves with the next answer to the command of this number. */
    answered: (index: number): Promise<void> =>
      new Promise((resolve) => void waiting.set(`/answers/${index}`, resolve)),
    close,
  };
}
