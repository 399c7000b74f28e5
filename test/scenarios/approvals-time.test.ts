import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cardOf, decide, request, writes } from '../support/approvals.ts';
import {
  inRedis,
  keysOf,
  letPass,
  readChange,
  slackCalls,
  tokensThere,
} from '../support/changes-raw.ts';
import { userOf, type User } from '../support/user.ts';
import { until } from '../support/until.ts';
import { openWorld, type SeenMessage, type World } from '../support/world.ts';

const APPROVALS = 'C0APPROVE';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SECRET = /svc-bsat-\w+/;

describe('changes that have to wait', () => {
  let world: World;
  let ada: User;
  let ben: User;
  let dana: User;

  beforeAll(async () => {
    world = await openWorld();
    await world.startBot();
    [ada, ben, dana] = ['U0ADA', 'U0BEN', 'U0DANA'].map((user) => userOf(world, user)) as [
      User,
      User,
      User,
    ];
  });

  afterAll(() => world?.close());
  afterEach(nobodyWasPaged);

  /** Whatever the story: nobody is paged who need not be. */
  async function nobodyWasPaged(): Promise<void> {
    const calls = await slackCalls(world);

    expect(calls.length).toBeGreaterThan(5);
    expect(
      calls.filter((call) => /<!(?:channel|here|everyone)/.test(JSON.stringify(call))),
    ).toEqual([]);
  }

  const words = ({ blocks }: SeenMessage): string => JSON.stringify(blocks);
  /** What stands in the thread of a card. */
  async function reminders(id: string): Promise<SeenMessage[]> {
    const { ts } = await cardOf(world, id);
    return (await world.messages(APPROVALS)).filter(({ thread_ts: thread }) => thread === ts);
  }
  const remindedOf = (id: string, count: number) =>
    until(`${count} reminders of ${id}`, async () => {
      const all = await reminders(id);
      return all.length >= count && all;
    });
  /** What Ada is told of a change. */
  const toldOf = (id: string, beginning: string) =>
    until(`Ada to hear ${beginning}`, async () =>
      (await ada.direct()).find(({ text }) => text.startsWith(`Your change ${id}${beginning}`)),
    );
  async function sealed(name: string): Promise<string> {
    const id = await request(world, ada, {
      command: '/billing tokens create',
      entries: { Name: name, Roles: ['billing_viewer'] },
    });
    await decide(world, ben, { id, decision: 'Approve' });
    await toldOf(id, ' succeeded');
    return id;
  }
  const names = async (): Promise<string[]> => (await tokensThere(world)).map(({ name }) => name);

  it('those who may approve are reminded after 15 minutes, half an hour, an hour …', async () => {
    const id = await request(world, ada, { command: '/alert set 500' });
    for (const [count, minutes] of [
      [1, 16],
      [2, 15],
      [3, 30],
    ] as const) {
      await letPass(world, id, minutes * MINUTE);
      await remindedOf(id, count);
    }

    const said = await reminders(id);
    expect(said).toHaveLength(3);
    for (const [at, waited] of ['15 min', '30 min', '1 h'].entries()) {
      expect(said[at]?.text).toContain(`more than ${waited}`);
      expect(words(said[at]!)).toContain('<!subteam^S0BILLING>');
    }
    await ada.press(await cardOf(world, id), 'Withdraw');
  });

  it('reminders that nobody sent in time are one', async () => {
    const id = await request(world, ada, { command: '/alert set 510' });
    await letPass(world, id, 5 * HOUR);

    await remindedOf(id, 1);
    await letPass(world, id, 2 * HOUR);
    await decide(world, ben, { id, decision: 'Reject' });
    await cardOf(world, id, 'rejected');

    const [only, ...others] = await reminders(id);
    expect(only?.text).toContain('more than 4 h');
    expect(others).toEqual([]);
  });

  it('a request that nobody decides on expires after 8 hours, and can be made again', async () => {
    const before = (await writes(world)).length;
    const id = await request(world, ada, { command: '/alert set 520' });
    const shown = await ben.ask(`/changes show ${id}`);
    const review = await ben.openBy(await cardOf(world, id), 'Review');
    await letPass(world, id, 8 * HOUR);

    const card = await cardOf(world, id, 'expired');

    expect(words(card)).not.toContain('"button"');
    await toldOf(id, ' expired');
    const late = await ben.answer(() => ben.submit(review, { Decision: 'Approve' }), APPROVALS);
    expect(late.text).toContain('has expired, and can be requested again');
    const again = await ben.openBy(shown, 'Review');
    expect({ fields: again.fields, text: again.text }).toEqual({
      fields: {},
      text: expect.stringContaining('has expired'),
    });
    await ben.close(again);
    const next = await request(world, ada, { command: '/alert set 520' });
    expect(next).not.toBe(id);
    await ada.press(await cardOf(world, next), 'Withdraw');
    await cardOf(world, next, 'withdrawn');
    expect(await writes(world)).toHaveLength(before);
  });

  it('a decision at the last moment counts; nothing is taken after it', async () => {
    const id = await request(world, ada, { command: '/alert set 530' });
    await letPass(world, id, 8 * HOUR - MINUTE);
    await decide(world, ben, { id, decision: 'Reject', comment: 'just in time' });

    expect(words(await cardOf(world, id, 'rejected'))).toContain('just in time');
  });

  it('a secret that nobody reveals within 15 minutes lapses: its token is deleted', async () => {
    const id = await sealed('lapsing');
    expect(await names()).toContain('lapsing');
    const shown = await ada.ask(`/changes show ${id}`);
    await letPass(world, id, 15 * MINUTE);

    const lapsed = await toldOf(id, ': the token was not shown');

    expect(words(lapsed)).toContain('/billing tokens create');
    await until('the token to be deleted', async () => !(await names()).includes('lapsing'));
    await until('Ada to be told so', async () =>
      words(await toldOf(id, ':')).includes('was deleted'),
    );
    const late = await ada.openBy(shown, 'Reveal');
    expect(late.text).toContain('gone');
    expect(late.text).not.toMatch(SECRET);
    await ada.close(late);
    expect(await inRedis(world, (redis) => redis.exists(keysOf(world).secret(id)))).toBe(0);
  });

  it('a token that cannot be deleted is tried again until it is gone', async () => {
    await world.platform('faults', { faults: [{ method: 'DELETE', path: 'token/', status: 503 }] });
    const id = await sealed('stubborn');
    await letPass(world, id, 15 * MINUTE);
    await until('a first try', async () => (await readChange(world, id)).retryAt !== undefined);
    expect(await names()).toContain('stubborn');

    await world.platform('faults', { faults: [] });
    await letPass(world, id, 11 * MINUTE);

    await until('the token to be deleted', async () => !(await names()).includes('stubborn'));
    await until('Ada to be told so', async () =>
      words(await toldOf(id, ':')).includes('was deleted'),
    );
  });

  it('a superuser key that nobody reveals is told with what to do, for no API deletes it', async () => {
    const id = await request(world, dana, {
      command: '/billing orgs create',
      entries: {
        Name: 'umbrella',
        'Type the name again': 'umbrella',
        Invitees: 'dana@acme.example',
        'Superuser key': true,
      },
    });
    expect(words(await cardOf(world, id))).toContain('org_creator');
    await decide(world, ben, { id, decision: 'Approve' });
    await cardOf(world, id, 'succeeded');
    const before = (await writes(world)).length;
    await letPass(world, id, 15 * MINUTE);

    const told = await until('Dana to hear', async () =>
      (await dana.direct()).find(({ text }) => text.includes('superuser key was not shown')),
    );

    expect(words(told)).toContain('Delete it in the org itself');
    expect(await writes(world)).toHaveLength(before);
  });
});
