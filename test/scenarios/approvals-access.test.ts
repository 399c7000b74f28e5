import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cardOf, decide, request, writes } from '../support/approvals.ts';
import { everythingInRedis, giveAlert, readChange, slackCalls } from '../support/changes-raw.ts';
import { as, clicking, createForger, type Forger } from '../support/forged.ts';
import { userOf } from '../support/user.ts';
import type { Form } from '../support/modal.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';
import type { RunningBot } from '../support/running-bot.ts';

/** Forms and answers by the roles for which design section 6 opens them. */
const FORMS = {
  admins: [
    '/alert set 500',
    '/alert off',
    '/alert delete',
    '/billing users add',
    '/billing users roles',
    '/billing users remove',
    '/billing tokens create',
    '/billing tokens delete',
    '/billing recipients add',
    '/billing recipients enable',
    '/billing recipients disable',
    '/billing recipients delete',
  ],
  creators: ['/billing orgs create'],
  members: ['/billing quotas request'],
} as const;
const ANSWERS = {
  admins: ['/billing tokens', '/billing recipients'],
  readers: ['/alert', '/billing users'],
  anyRole: ['/billing account', '/billing orgs'],
  members: ['/billing quotas', '/changes', '/purser whoami'],
} as const;
type Circle = keyof typeof FORMS | keyof typeof ANSWERS;

interface Person {
  readonly who: string;
  readonly user: string;
  readonly circles: readonly Circle[];
  /** Words of every refusal. */
  readonly no: RegExp;
  /** A channel that they are in. */
  readonly place?: string;
  /** Cannot sign in: requests of Ada are forged as this person's. */
  readonly isForged?: true;
}

const ROLE_TAKEN = /role .+ [Aa]sk a billing_admin/;
const PEOPLE: readonly Person[] = [
  {
    who: 'a billing_admin',
    user: 'U0BEN',
    circles: ['admins', 'creators', 'readers', 'anyRole', 'members'],
    no: /^$/,
  },
  { who: 'a viewer', user: 'U0CLEO', circles: ['readers', 'anyRole', 'members'], no: ROLE_TAKEN },
  {
    who: 'an org_creator',
    user: 'U0DANA',
    circles: ['creators', 'anyRole', 'members'],
    no: ROLE_TAKEN,
  },
  { who: 'a member without an e-mail', user: 'U0NOEL', circles: ['members'], no: /Slack profile/ },
  { who: 'a guest', user: 'U0EVE', circles: [], no: /guests/, place: 'C0DEPLOYS' },
  { who: 'a stranger', user: 'U0SAM', circles: [], no: /own workspace/, place: 'C0DEPLOYS' },
  { who: 'a deactivated member', user: 'U0GUS', circles: [], no: /deactivated/, isForged: true },
  { who: 'a bot', user: 'U0PURSER', circles: [], no: /Bots/, isForged: true },
];

/** Content that a refusal must not show: an address, a token, a field of a form. */
const CONTENT = /finance@|archive@|gus@|sandbox-(?:admin|viewer)|svc-bsat|Amount|Expires/;
/** Exactly one sentence, and the button where a role is missing. */
const SENTENCE = /^(?::warning: )?[A-Z][^\n]*\.(?:\nAsk for access)?$/;

/** The button of people for whose refusal the role is the only reason. */
const ASK = 'Ask for access';

/** Calls of the account since then, without the lookups of roles. */
async function asked(world: World, before: number): Promise<string[]> {
  const { requests } = await world.platformRequests();
  return requests
    .slice(before)
    .filter(({ path }) => path.startsWith('/billing/account/') && !path.includes('/user'))
    .map(({ method, path }) => `${method} ${path}`);
}

/** Until the monitors of money have read the platform for the first time: the next time is in ten minutes. */
async function firstLooks(world: World): Promise<void> {
  const counts: number[] = [];
  await until('the first look at the money', async () => {
    const { requests } = await world.platformRequests();
    const hasCharges = requests.some(({ path }) => path.endsWith('/charges/-query'));
    counts.push(requests.filter(({ path }) => path.startsWith('/billing/')).length);
    const last = counts.slice(-20);
    return hasCharges && last.length === 20 && last.every((count) => count === last[0]);
  });
}

describe('the table of roles and permissions', () => {
  let world: World;
  let bot: RunningBot;
  let forger: Forger;

  beforeAll(async () => {
    world = await openWorld();
    await giveAlert(world);
    bot = await world.startBot();
    forger = await createForger(world, bot);
    await firstLooks(world);
  });

  afterAll(async () => {
    await forger?.close();
    await world?.close();
  });

  /** The acts of a person, in the channel of theirs. */
  function actsOf({ user, place = 'C0BILLING', isForged }: Person) {
    const hands = userOf(world, isForged ? 'U0ADA' : user);
    const act = <T>(work: () => Promise<T>): Promise<T> =>
      isForged ? forger.during(as(user), work) : work();
    return {
      open: (command: string) => act(() => hands.open(command, place)),
      ask: (command: string) => act(() => hands.ask(command, place)),
      close: (form: Form) => hands.close(form),
    };
  }

  describe.each(PEOPLE)('$who', (person) => {
    const { circles, no } = person;
    const isOpen = ([circle]: [string, unknown]) => (circles as readonly string[]).includes(circle);
    const commandsOf = (table: object, open: boolean): string[] =>
      Object.entries(table)
        .filter((entry) => isOpen(entry) === open)
        .flatMap(([, commands]) => commands as string[]);

    it('fills in the forms that are theirs, and is refused the others unread', async () => {
      const acts = actsOf(person);
      const wrote = (await writes(world)).length;
      const opened: string[] = [];
      for (const command of commandsOf(FORMS, true)) {
        const form = await acts.open(command);
        if (form.view.submit !== undefined) opened.push(command);
        await acts.close(form);
      }
      const before = (await world.platformRequests()).requests.length;
      const refused: string[] = [];
      for (const command of commandsOf(FORMS, false)) {
        const form = await acts.open(command);
        expect(form.text).toMatch(no);
        expect(form.text).toMatch(SENTENCE);
        expect(form.text).not.toMatch(CONTENT);
        expect(form.text.includes(ASK)).toBe(no === ROLE_TAKEN);
        expect(form.fields).toEqual({});
        if (form.view.submit === undefined) refused.push(command);
        await acts.close(form);
      }

      expect(opened).toEqual(commandsOf(FORMS, true));
      expect(refused).toEqual(commandsOf(FORMS, false));
      expect(await asked(world, before)).toEqual([]);
      expect(await writes(world)).toHaveLength(wrote);
    });

    it('gets the permitted answers, and is refused the others without a call', async () => {
      const acts = actsOf(person);
      for (const command of commandsOf(ANSWERS, true)) {
        const answer = await acts.ask(command);
        expect(`${command}: ${answer.text}`).not.toMatch(/ask a |your Slack profile/);
      }
      const before = (await world.platformRequests()).requests.length;
      for (const command of commandsOf(ANSWERS, false)) {
        const { text, blocks } = await acts.ask(command);
        expect(JSON.stringify(blocks) + text).toMatch(no);
        expect(JSON.stringify(blocks) + text).not.toMatch(CONTENT);
        expect(JSON.stringify(blocks).includes(ASK)).toBe(no === ROLE_TAKEN);
      }
      expect(await asked(world, before)).toEqual([]);
    });
  });

  it('without roles from the platform, nothing opens and no decision counts', async () => {
    /** Ada has not been looked up before, so no role of hers is remembered. */
    const ada = userOf(world, 'U0ADA');
    const ben = userOf(world, 'U0BEN');
    const faults = [{ path: '/user', status: 500 }];
    await world.platform('faults', { faults });
    const before = (await world.platformRequests()).requests.length;

    for (const command of ['/alert set 900', '/billing orgs create']) {
      const { text, fields, view, ...form } = await ada.open(command);
      expect(text).toMatch(SENTENCE);
      expect({ fields, submit: view.submit }).toEqual({ fields: {}, submit: undefined });
      await ada.close({ text, fields, view, ...form });
    }
    for (const command of ['/billing tokens', '/changes']) {
      expect((await ada.ask(command)).text).not.toMatch(CONTENT);
    }
    expect(await asked(world, before)).toEqual([]);
    await world.platform('faults', { faults: [] });

    const id = await request(world, ada, { command: '/alert set 700' });
    const review = await ben.openBy(await cardOf(world, id), 'Review');
    await world.platform('faults', { faults });
    const answer = await ben.answer(() => ben.submit(review), 'C0APPROVE');
    await world.platform('faults', { faults: [] });

    expect(answer.text).toMatch(SENTENCE);
    expect((await readChange(world, id)).state).toBe('pending');
  });

  describe('with a forged click or form', () => {
    const OUTSIDERS = PEOPLE.slice(4);
    let sealed = '';
    let pending = '';

    beforeAll(async () => {
      const [ada, ben] = [userOf(world, 'U0ADA'), userOf(world, 'U0BEN')];
      sealed = await request(world, ada, {
        command: '/billing tokens create',
        entries: { Name: 'sealed', Roles: ['billing_viewer'] },
      });
      await decide(world, ben, { id: sealed, decision: 'Approve' });
      await cardOf(world, sealed, 'succeeded');
      pending = await request(world, ada, { command: '/alert set 999' });
    });

    it.each([
      { who: 'a billing_admin who is not the requester', user: 'U0BEN', no: /Only the requester/ },
      { who: 'a viewer', user: 'U0CLEO', no: /Only the requester/ },
      { who: 'a member without an e-mail', user: 'U0NOEL', no: /Only the requester/ },
      ...OUTSIDERS,
    ])('$who is not shown the secret of another', async ({ user, no }) => {
      const ben = userOf(world, 'U0BEN');
      const card = await cardOf(world, pending);

      const form = await forger.during(
        (payload) => as(user)(clicking('changes.reveal', sealed)(payload)),
        () => ben.openBy(card, 'Review'),
      );

      expect(form.text).toMatch(no);
      expect(form.text).not.toMatch(/svc-bsat-/);
      await ben.close(form);
      expect((await readChange(world, sealed)).secret?.state).toBe('sealed');
    });

    it.each(OUTSIDERS)(
      '$who decides on nothing, by the form of a billing_admin',
      async (outsider) => {
        const ben = userOf(world, 'U0BEN');
        const review = await ben.openBy(await cardOf(world, pending), 'Review');

        const refusals = async () =>
          (await slackCalls(world)).filter(({ args }) => outsider.no.test(String(args['text'])))
            .length;
        const before = await refusals();

        await forger.during(as(outsider.user), () => ben.submit(review));

        // The form has no field for it, so the refusal is a message, for those who can get one.
        const isReached = ['a guest', 'a stranger'].includes(outsider.who);
        await until('the refusal', async () => !isReached || (await refusals()) > before);
        expect((await readChange(world, pending)).state).toBe('pending');
        // The refusal is in the log and in the audit.
        expect(bot.log()).toMatch(new RegExp(`"user":"${outsider.user}".*A person was refused`));
        const line = new RegExp(`refused,by:${outsider.user},[^}]*change:${pending}`);
        await until('a line in the audit', async () => line.test(await auditThere()));
      },
    );

    /** The audit as Redis has it, without the quotes of its encoding. */
    const auditThere = async () => (await everythingInRedis(world)).replaceAll(/["\\]/g, '');
  });
});
