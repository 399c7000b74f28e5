import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cardOf, decide, isEndOf, request, writes } from '../support/approvals.ts';
import { letPass, readChange, tokensThere } from '../support/changes-raw.ts';
import { userOf, type User } from '../support/user.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const APPROVALS = 'C0APPROVE';
const SECRET = /svc-bsat-\w+/;
/** Longer than a call, or a window with a secret in it, can be under way. Milliseconds. */
const OVER_MS = 100_000;

const token = (name: string) => ({
  command: '/billing tokens create',
  entries: { Name: name, Roles: ['billing_viewer'] },
});
const org = {
  command: '/billing orgs create',
  entries: {
    Name: 'umbrella',
    'Type the name again': 'umbrella',
    Invitees: 'dana@acme.example',
    'Superuser key': true,
  },
};
const recipient = {
  command: '/billing recipients add',
  entries: { 'E-mail': 'news@acme.example', Enabled: true },
};

/**
 * One SIGKILL, with a change at every place where it hurts: approved a moment ago, in the middle of
 * three calls that the platform takes and never answers, a secret sealed, a secret on its way.
 */
describe('a bot that is killed in the middle of changes', () => {
  let world: World;
  let ada: User;
  let ben: User;
  const ids = { approved: '', token: '', org: '', recipient: '', sealed: '', opening: '' };

  beforeAll(async () => {
    world = await openWorld();
    const bot = await world.startBot();
    ada = userOf(world, 'U0ADA');
    ben = userOf(world, 'U0BEN');
    for (const name of ['sealed', 'opening'] as const) {
      ids[name] = await request(world, ada, token(name));
      await decide(world, ben, { id: ids[name], decision: 'Approve' });
      await cardOf(world, ids[name], 'succeeded');
    }
    ids.token = await request(world, ada, token('lost'));
    ids.org = await request(world, ada, org);
    ids.recipient = await request(world, ada, recipient);
    ids.approved = await request(world, ada, { command: '/alert set 500' });

    await world.platform('faults', {
      faults: [
        { method: 'POST', kind: 'delay-after', delayMs: 60_000, path: '(token|org|recipients)$' },
      ],
    });
    for (const id of [ids.token, ids.org, ids.recipient]) {
      await decide(world, ben, { id, decision: 'Approve' });
    }
    const reported = await offered(ids.opening);
    await until('three calls to be under way', async () => (await sent('POST')).length === 5);
    await world.slack('faults', {
      faults: [{ method: 'views.update', kind: 'delay-before', delayMs: 60_000, times: 1 }],
    });
    await ada.press(reported, 'Reveal');
    // Its state is written a moment before it is sent: a fault that ended in between would let it through.
    await until('a secret to be on its way', async () => {
      const answer = await fetch(`${world.slackUrl}/_sandbox/faults`);
      const { faults } = (await answer.json()) as { faults: { left: number }[] };
      const { secret } = await readChange(world, ids.opening);
      return faults[0]?.left === 0 && secret?.state === 'opening';
    });
    await decide(world, ben, { id: ids.approved, decision: 'Approve' });
    await until(
      'the approval to be written',
      async () => (await readChange(world, ids.approved)).state !== 'pending',
    );
    await bot.kill();
    await world.platform('faults', { faults: [] });

    for (const name of ['approved', 'token', 'org', 'recipient', 'opening'] as const) {
      await letPass(world, ids[name], OVER_MS);
    }
    await world.startBot();
  });

  afterAll(() => world?.close());

  /** The writes with a method that the platform received, in order. */
  const sent = async (method: string): Promise<string[]> =>
    (await writes(world)).map(({ call }) => call).filter((call) => call.startsWith(method));
  /** The message to Ada that says how it ended. */
  const offered = (id: string) =>
    until(`Ada to hear of ${id}`, async () =>
      (await ada.direct()).find((message) => isEndOf(message, id)),
    );
  const names = async (): Promise<string[]> => (await tokensThere(world)).map(({ name }) => name);
  const reportedOf = (id: string, words: string) =>
    until(`Ada to hear "${words}" of ${id}`, async () =>
      (await ada.direct()).find(
        ({ metadata, blocks }) =>
          metadata?.event_payload.key.includes(`/${id}/`) === true &&
          JSON.stringify(blocks).includes(words),
      ),
    );

  it('carries out a request that was approved just before the crash', async () => {
    await cardOf(world, ids.approved, 'succeeded');

    // It can have been killed with the call under way: then a second one is refused, and was not needed.
    const alerts = (await writes(world)).filter(({ call }) => call.endsWith('/alert'));
    expect(alerts.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  it('a token whose answer was lost is deleted, and not created again', async () => {
    await cardOf(world, ids.token, 'failed');

    expect(await names()).not.toContain('lost');
    const { text } = await reportedOf(ids.token, 'it was deleted');
    expect(text).toMatch(/^Failed: /);
    const calls = (await writes(world)).filter(({ body }) =>
      JSON.stringify(body)?.includes('lost'),
    );
    expect(calls).toHaveLength(1);
  });

  it('an org is there once, and its lost key is reported with the next step', async () => {
    await cardOf(world, ids.org, 'succeeded');

    await reportedOf(ids.org, 'Delete it in the org itself');
    expect((await sent('POST')).filter((call) => call === 'POST /org')).toHaveLength(1);
  });

  it('a recipient is there once, and that counts as done', async () => {
    await cardOf(world, ids.recipient, 'succeeded');

    const list = JSON.stringify(await ada.ask('/billing recipients'));
    expect(list.split('news@acme.example').length - 1).toBeGreaterThan(0);
    const taken = (await writes(world)).filter(
      ({ call, status }) => call.endsWith('/recipients') && status === 201,
    );
    expect(taken).toHaveLength(1);
  });

  it('a secret on its way counts as lost: the token is deleted, and Ada is notified', async () => {
    await reportedOf(ids.opening, 'The token was deleted');

    expect(await names()).not.toContain('opening');
  });

  it('a secret that was sealed is still there, and is revealed', async () => {
    const form = await ada.openBy(await offered(ids.sealed), 'Reveal');

    expect(form.text).toMatch(SECRET);
    expect(await names()).toContain('sealed');
    expect(JSON.stringify(await world.messages(APPROVALS))).not.toMatch(SECRET);
  });
});
