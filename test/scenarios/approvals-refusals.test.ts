import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cardOf, request } from '../support/approvals.ts';
import { as, createForger, type Forger } from '../support/forged.ts';
import { userOf, type User } from '../support/user.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';
import type { RunningBot } from '../support/running-bot.ts';

interface Line {
  readonly event: string;
  readonly change?: string;
  readonly by?: string;
  readonly what?: string;
  readonly why?: string;
  readonly kind?: string;
}

describe('who is refused', () => {
  let world: World;
  let bot: RunningBot;
  let forger: Forger;
  let ada: User;
  let ben: User;
  let cleo: User;
  let id: string;

  beforeAll(async () => {
    world = await openWorld();
    bot = await world.startBot();
    forger = await createForger(world, bot);
    ada = userOf(world, 'U0ADA');
    ben = userOf(world, 'U0BEN');
    cleo = userOf(world, 'U0CLEO');
    id = await request(world, ada, { command: '/alert set 500' });
  });
  afterAll(async () => {
    await forger?.close();
    await world?.close();
  });

  /** Lines of the log about refusals of a person. */
  function linesOf(user: string) {
    return bot
      .log()
      .split('\n')
      .filter((line) => line.includes('A person was refused'))
      .map((line) => JSON.parse(line) as { user: string; what: string; why: string; level: string })
      .filter((line) => line.user === user);
  }

  /** The refusals that the audit has, as somebody is sent it. */
  async function refusalsIn(): Promise<Line[]> {
    const files = async () =>
      (await world.messages('D0ADA')).flatMap(
        (one) => (one as unknown as { files: { id: string; name: string }[] }).files,
      );
    const known = (await files()).length;
    const list = await ada.ask('/changes');
    // Until it is answered: the answer to what is asked next is looked for among the new ones.
    await ada.answer(() => ada.press(list, 'Audit as a file'));
    const file = await until('the file', async () => (await files())[known]);
    const answer = await fetch(`${world.slackUrl}/page/files/${file.id}/${file.name}`);
    const lines = (await answer.text()).trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line) as Line).filter(({ event }) => event === 'refused');
  }

  /** The one line of the audit that fits, and no other. */
  async function auditLine(wanted: Line): Promise<void> {
    await until(`the audit to say ${JSON.stringify(wanted)}`, async () =>
      (await refusalsIn()).some(
        (line) => line.by === wanted.by && line.what === wanted.what && line.why === wanted.why,
      ),
    );
    const fitting = (await refusalsIn()).filter(
      ({ by, what }) => by === wanted.by && what === wanted.what,
    );
    expect(fitting).toEqual([expect.objectContaining(wanted)]);
  }

  it('a question leaves one line in the log: who, what, and why in a word', async () => {
    const answer = await cleo.ask('/billing tokens');

    expect(answer.text).toContain('billing_admin');
    const lines = linesOf('U0CLEO').filter(({ what }) => what === '/billing');
    expect(lines).toEqual([expect.objectContaining({ level: 'info', why: 'role' })]);
    expect(JSON.stringify(lines)).not.toContain('@acme.example');
    expect((await refusalsIn()).filter(({ what }) => what === '/billing')).toEqual([]);
  });

  it('to ask for a change leaves a line in the audit, too, and one for all tries of a day', async () => {
    for (let tries = 0; tries < 3; tries += 1) await cleo.close(await cleo.open('/alert set 700'));

    expect(linesOf('U0CLEO').filter(({ what }) => what === 'changes.ask.alert.set')).toHaveLength(
      3,
    );
    const what = 'changes.ask.alert.set';
    await auditLine({ event: 'refused', by: 'U0CLEO', what, why: 'role', kind: 'alert.replace' });
  });

  it('to review a change leaves one of that change, however often', async () => {
    const card = await cardOf(world, id);
    for (let tries = 0; tries < 3; tries += 1) {
      await cleo.close(await cleo.openBy(card, 'Review'));
    }

    const what = 'changes.review';
    expect(linesOf('U0CLEO').filter((line) => line.what === what)).toHaveLength(3);
    await auditLine({ event: 'refused', change: id, by: 'U0CLEO', what, why: 'role' });
  });

  it.each([
    ['a guest', 'U0EVE', 'guest'],
    ['a stranger', 'U0SAM', 'stranger'],
    ['somebody deactivated', 'U0GUS', 'deactivated'],
  ])('as %s leaves both, although nothing was looked at', async (_, user, why) => {
    const card = await cardOf(world, id);

    await ben.close(await forger.during(as(user), () => ben.openBy(card, 'Review')));

    expect(linesOf(user)).toEqual([expect.objectContaining({ what: 'changes.review', why })]);
    await auditLine({ event: 'refused', change: id, by: user, what: 'changes.review', why });
  });

  it('to look at the own request, and to decide on it, leaves a line each, and one in the audit', async () => {
    const lines = (what: string) => linesOf('U0ADA').filter((line) => line.what === what);
    await ada.close(await ada.openBy(await cardOf(world, id), 'Review'));
    await until('the first refusal', async () => lines('changes.review').length > 0);
    const own = { event: 'refused', change: id, by: 'U0ADA', why: 'self-review' };
    await auditLine({ ...own, what: 'changes.review' });

    const form = await ben.openBy(await cardOf(world, id), 'Review');
    const decision = { Decision: 'Approve', Comment: '' };
    await forger.during(as('U0ADA'), () => ben.submit(form, decision));
    await until('the second refusal', async () => lines('changes.decided').length > 0);

    expect([...lines('changes.review'), ...lines('changes.decided')]).toEqual([
      expect.objectContaining({ why: 'self-review' }),
      expect.objectContaining({ why: 'self-review' }),
    ]);
    // The reason is the same.
    expect((await refusalsIn()).filter(({ by }) => by === 'U0ADA')).toHaveLength(1);
    const shown = JSON.stringify((await ben.ask(`/changes show ${id}`)).blocks);
    expect(shown).toContain('self-review');
    expect((await cardOf(world, id)).text).toContain('pending');
  });

  it.each(['/charges', '/charges tags org'])('%s without a role leaves one, too', async (line) => {
    const dana = userOf(world, 'U0DANA');
    const before = linesOf('U0DANA').length;

    expect((await dana.ask(line)).text).toContain('billing_admin or billing_viewer');

    expect(linesOf('U0DANA').slice(before)).toEqual([
      expect.objectContaining({ what: '/charges', why: 'role' }),
    ]);
  });
});
