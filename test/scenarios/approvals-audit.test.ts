import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { cardOf, decide, request } from '../support/approvals.ts';
import { clicking, createForger } from '../support/forged.ts';
import { userOf, type User } from '../support/user.ts';
import { until } from '../support/until.ts';
import { openWorld, type SeenMessage, type World } from '../support/world.ts';
import type { RunningBot } from '../support/running-bot.ts';

/** A line of the file; the rest of it depends on what happened. */
interface Line {
  readonly at: number;
  readonly change: string;
  readonly event: string;
  readonly state: string;
  readonly by?: string;
  readonly [more: string]: unknown;
}

const FILE = 'Audit as a file';

describe('the audit of changes', () => {
  let world: World;
  let bot: RunningBot;
  let ada: User;
  let ben: User;
  let dana: User;
  const ids = { done: '', danas: '' };

  beforeAll(async () => {
    world = await openWorld();
    bot = await world.startBot();
    [ada, ben, dana] = ['U0ADA', 'U0BEN', 'U0DANA'].map((user) => userOf(world, user)) as [
      User,
      User,
      User,
    ];
    ids.done = await request(world, ada, { command: '/alert set 500' });
    await decide(world, ben, { id: ids.done, decision: 'Approve', comment: 'as agreed' });
    await cardOf(world, ids.done, 'succeeded');
    ids.danas = await request(world, dana, {
      command: '/billing orgs create',
      entries: {
        Name: 'umbrella',
        'Type the name again': 'umbrella',
        Invitees: 'dana@acme.example',
      },
    });
    await decide(world, ada, { id: ids.danas, decision: 'Reject', comment: 'too much' });
    await cardOf(world, ids.danas, 'rejected');
  });

  afterAll(() => world?.close());

  const wordsOf = ({ blocks }: SeenMessage): string => JSON.stringify(blocks);

  /** The file as somebody is sent it, read line by line. */
  async function fileOf(who: User): Promise<Line[]> {
    const known = (await filesOf(who)).length;
    await who.press(await who.ask('/changes'), FILE);
    const file = await until('the file', async () => (await filesOf(who))[known]);
    expect(file.name).toMatch(/^purser-audit-\d{4}-\d\d-\d\d\.ndjson$/);
    const answer = await fetch(`${world.slackUrl}/page/files/${file.id}/${file.name}`);
    const text = await answer.text();
    expect(text.endsWith('\n')).toBe(true);
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
  }

  async function filesOf({ user }: User): Promise<{ id: string; name: string }[]> {
    const messages = await world.messages(`D${user.slice(1)}`);
    return messages.flatMap(
      (one) => (one as unknown as { files: { id: string; name: string }[] }).files,
    );
  }

  it('has who, what, when, before, after, who decided, and the result', async () => {
    const lines = await fileOf(ada);

    const events = (id: string) =>
      lines.filter(({ change }) => change === id).map(({ event, by }) => [event, by]);
    expect(events(ids.done)).toEqual([
      ['request', 'U0ADA'],
      ['approve', 'U0BEN'],
      ['claim', undefined],
      ['succeed', undefined],
    ]);
    expect(events(ids.danas)).toEqual([
      ['request', 'U0DANA'],
      ['reject', 'U0ADA'],
    ]);
    const [asked, approved, , done] = lines.filter(({ change }) => change === ids.done);
    expect(asked).toMatchObject({
      kind: 'alert.create',
      email: 'ada@acme.example',
      before: [],
      after: expect.arrayContaining([{ name: 'Amount', text: '$500.00' }]),
    });
    expect(approved).toMatchObject({
      comment: 'as agreed',
      email: 'ben@acme.example',
      self: false,
    });
    expect(done).toMatchObject({ state: 'succeeded', sentence: expect.stringContaining('Done') });
    expect(lines.map(({ at }) => at)).toEqual(lines.map(({ at }) => at).toSorted((a, b) => a - b));
  });

  it('survives a crash, and is only ever added to', async () => {
    const id = await request(world, ben, { command: '/alert set 600' });
    const before = await fileOf(ada);
    await bot.kill();
    bot = await world.startBot();
    await decide(world, ada, { id, decision: 'Reject', comment: 'after the crash' });
    await cardOf(world, id, 'rejected');

    const after = await fileOf(ben);

    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.slice(before.length)).toMatchObject([
      { event: 'reject', change: id, comment: 'after the crash' },
    ]);
    const shown = wordsOf(await ada.ask(`/changes show ${ids.done}`));
    for (const word of ['U0ADA', 'U0BEN', '$500.00', 'as agreed', 'Verified: matches']) {
      expect(shown).toContain(word);
    }
  });

  it('is seen by others as far as it is theirs, and as a file by a billing_admin alone', async () => {
    const list = await dana.ask('/changes');

    expect(wordsOf(list)).not.toContain(FILE);
    expect(wordsOf(list)).not.toContain(ids.done);
    expect(wordsOf(await dana.ask(`/changes show ${ids.danas}`))).toContain('too much');
    for (const user of ['U0CLEO', 'U0NOEL', 'U0DANA']) {
      const no = await userOf(world, user).ask(`/changes show ${ids.done}`);
      expect(wordsOf(no)).toContain('billing_admin');
      expect(wordsOf(no)).not.toContain('500.00');
    }
  });

  it('is not sent to a viewer who clicks what others are shown', async () => {
    const forger = await createForger(world, bot);
    onTestFinished(() => forger.close());
    const own = await request(world, dana, {
      command: '/billing quotas request',
      entries: { Quota: 'cpu', 'Requested maximum': '150' },
    });
    const card = await cardOf(world, own);

    const no = await forger.during(clicking('changes.audit', ''), () =>
      dana.answer(() => dana.press(card, 'Withdraw'), 'C0APPROVE'),
    );

    expect(no.text).toContain('billing_admin');
    expect(await filesOf(dana)).toEqual([]);
  });
});
