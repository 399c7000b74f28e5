import { App, HTTPReceiver } from '@slack/bolt';
import { listen } from '../support/http.ts';
import { denseUsage, heavyUsage } from '../support/heavy-usage.ts';
import { fleetItems, type Changing } from './fleet-items.ts';

/*
 * A stand-in in a process of its own, so that it takes no time from the measured one. Its arguments are its kind and
 * the parameters of that kind; it prints where it listens.
 */
const [, , kind = '', ...words] = process.argv;
const STAND_INS: Readonly<Record<string, () => Promise<unknown>>> = { fleet, heavy, bolt };
console.log(await STAND_INS[kind]?.());

/**
 * A platform of which any GVC has this many deployments, and every second answer is of the other edition.
 * `GET /asked` says when each GVC was asked for.
 */
async function fleet(): Promise<string> {
  const [count, changing] = words;
  const bodies = [0, 1].map((edition) =>
    Buffer.from(
      JSON.stringify({
        kind: 'list',
        items: fleetItems(Number(count), changing as Changing, edition),
      }),
    ),
  );
  const asked: Record<string, number[]> = {};
  const { url } = await listen((request, response) => {
    const gvc = request.url?.match(/\/gvc\/([^/]+)\/workload\/-deployment/)?.[1];
    if (gvc === undefined) return response.end(JSON.stringify(asked));
    const times = (asked[gvc] ??= []);
    times.push(Date.now());
    return response.setHeader('content-type', 'application/json').end(bodies[times.length % 2]);
  });
  return url;
}

/**
 * A platform that answers usage queries by steps with so many bytes: those of org `dense` with rows that
 * are as small as they can be, those of org `vast` with half as much again. It answers any other question
 * with nothing.
 */
async function heavy(): Promise<string> {
  const bytes = Number(words[0]);
  const usual = heavyUsage(bytes).body;
  const nothing = '{"periods":[],"consumptionCount":0,"items":[],"tagValues":[]}';
  const bodyFor = (url: string): Buffer => {
    if (url.includes('/dense/')) return denseUsage(bytes);
    return url.includes('/vast/') ? heavyUsage(1.5 * bytes).body : usual;
  };
  const { url } = await listen((request, response, query) => {
    const isHeavy = query.includes('"aggregateByTimeStep":true');
    response.setHeader('content-type', 'application/json');
    response.end(isHeavy ? bodyFor(request.url ?? '') : nothing);
  });
  return url;
}

/** Bolt with its own receiver, which answers a command once it knows who sent it. */
async function bolt(): Promise<unknown> {
  const [signingSecret = '', slackUrl = ''] = words;
  const receiver = new HTTPReceiver({ signingSecret });
  const app = new App({
    receiver,
    token: 'xoxb-bench',
    clientOptions: { slackApiUrl: `${slackUrl}/api/` },
  });
  app.command('/purser', async ({ ack, client, command, respond }) => {
    await ack();
    const { user } = await client.users.info({ user: command.user_id });
    await respond({ text: `Hello ${user?.id}`, response_type: 'ephemeral' });
  });
  const address = (await receiver.start(0)).address();
  return typeof address === 'object' ? address?.port : address;
}
