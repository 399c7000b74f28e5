import { App, HTTPReceiver, SocketModeReceiver, type Receiver } from '@slack/bolt';
import { freePort } from '../../../../src/sandbox/redis.ts';
import { APP_TOKEN, BOT_TOKEN, SIGNING_SECRET, silent, type TestWorkspace } from './support.ts';

export type Mode = 'http' | 'socket';

export type RunningApp = Awaited<ReturnType<typeof startApp>>;

/** A real Bolt app, connected to the workspace the way a deployed bot is. */
export async function startApp(workspace: TestWorkspace, mode: Mode) {
  const clientOptions = {
    slackApiUrl: `${workspace.slack.url}/api/`,
    retryConfig: { retries: 0 },
    logger: silent,
  };
  const receiver: Receiver =
    mode === 'http'
      ? new HTTPReceiver({ signingSecret: SIGNING_SECRET, logger: silent })
      : new SocketModeReceiver({
          appToken: APP_TOKEN,
          logger: silent,
          installerOptions: { clientOptions },
        });
  const app = new App({
    token: BOT_TOKEN,
    receiver,
    clientOptions,
    logger: silent,
    convoStore: false,
    deferInitialization: true,
  });
  await app.init();
  if (mode === 'http') {
    const port = await freePort();
    await app.start({ host: '127.0.0.1', port });
    workspace.slack.setRequestUrl(`http://127.0.0.1:${port}/slack/events`);
  } else {
    await app.start();
  }
  return { app, stop: () => app.stop() };
}
