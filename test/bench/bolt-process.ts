import { App, HTTPReceiver } from '@slack/bolt';

/**
 * Bolt with its own receiver and a listener that does nothing but acknowledge: the bound of what a bot
 * can do in one process. Its arguments are the signing secret and the address of Slack.
 */
const [, , signingSecret = '', slackUrl = ''] = process.argv;
const receiver = new HTTPReceiver({ signingSecret });
const app = new App({
  receiver,
  token: 'xoxb-bench',
  clientOptions: { slackApiUrl: `${slackUrl}/api/` },
});
app.command('/purser', async ({ ack }) => ack());
const server = await receiver.start(0);
const address = server.address();
console.log(typeof address === 'object' ? address?.port : address);
