import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cardOf, request, writes } from '../support/approvals.ts';
import { giveAlert } from '../support/changes-raw.ts';
import { as, createForger, type Forger } from '../support/forged.ts';
import { userOf } from '../support/user.ts';
import type { Form } from '../support/modal.ts';
import { openWorld, type World } from '../support/world.ts';

/** Forms and answers by whom the table of design section 6 opens them to. */
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

interface Somebody {
  readonly who: string;
  readonly user: string;
  readonly circles: readonly Circle[];
  /** Words of every no that they hear. */
  readonly no: RegExp;
  /** A channel that they are in. */
  readonly place?: string;
  /** Nobody can sign in as them, so what somebody else does is made theirs. */
  readonly isForged?: true;
}

const ROLE_TAKEN = /role .+ ask a billing_admin/;
const PEOPLE: readonly Somebody[] = [
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
  { who: 'somebody without an e-mail', user: 'U0NOEL', circles: ['members'], no: /Slack profile/ },
  { who: 'a guest', user: 'U0EVE', circles: [], no: /guests/, place: 'C0DEPLOYS' },
  { who: 'a stranger', user: 'U0SAM', circles: [], no: /own workspace/, place: 'C0DEPLOYS' },
  { who: 'somebody deactivated', user: 'U0GUS', circles: [], no: /deactivated/, isForged: true },
  { who: 'a bot', user: 'U0PURSER', circles: [], no: /Bots/, isForged: true },
];

/** What nobody who is refused may get to see: somebody’s address, a token, what may be done. */
const CONTENT = /finance@|archive@|gus@|sandbox-(?:admin|viewer)|svc-bsat|Amount|Expires/;
/** One sentence, which ends, and nothing else. */
const SENTENCE = /^:warning: [A-Z][^\n]*\.$/;

/** What the account was asked for since; looking up a role is not asking. */
async function asked(world: World, before: number): Promise<string[]> {
  const { requests } = await world.platformRequests();
  return requests
    .slice(before)
    .filter(({ path }) => path.startsWith('/billing/account/') && !path.includes('/user'))
    .map(({ method, path }) => `${method} ${path}`);
}

describe('the table of who may do what', () => {
  let world: World;
  let forger: Forger;

  beforeAll(async () => {
    world = await openWorld();
    forger = await createForger(world, await world.startBot());
    await giveAlert(world);
  });

  afterAll(async () => {
    await forger?.close();
    await world?.close();
  });

  /** The channel and the hands by which somebody acts, and how. */
  function actsOf({ user, place = 'C0BILLING', isForged }: Somebody) {
    const hands = userOf(world, isForged ? 'U0ADA' : user);
    const act = <T>(work: () => Promise<T>): Promise<T> =>
      isForged ? forger.during(as(user), work) : work();
    return {
      open: (command: string) => act(() => hands.open(command, place)),
      ask: (command: string) => act(() => hands.ask(command, place)),
      close: (form: Form) => hands.close(form),
    };
  }

  describe.each(PEOPLE)('$who', (somebody) => {
    const { circles, no } = somebody;
    const isOpen = ([circle]: [string, unknown]) => (circles as readonly string[]).includes(circle);
    const commandsOf = (table: object, open: boolean): string[] =>
      Object.entries(table)
        .filter((entry) => isOpen(entry) === open)
        .flatMap(([, commands]) => commands as string[]);

    it('fills in the forms that are theirs, and is refused the others unread', async () => {
      const acts = actsOf(somebody);
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
        expect(form.fields).toEqual({});
        if (form.view.submit === undefined) refused.push(command);
        await acts.close(form);
      }

      expect(opened).toEqual(commandsOf(FORMS, true));
      expect(refused).toEqual(commandsOf(FORMS, false));
      expect(await asked(world, before)).toEqual([]);
      expect(await writes(world)).toHaveLength(wrote);
    });

    it('reads what is theirs, and is refused the rest unread', async () => {
      const acts = actsOf(somebody);
      for (const command of commandsOf(ANSWERS, true)) {
        const answer = await acts.ask(command);
        expect(`${command}: ${answer.text}`).not.toMatch(/ask a |your Slack profile/);
      }
      const before = (await world.platformRequests()).requests.length;
      for (const command of commandsOf(ANSWERS, false)) {
        const { text, blocks } = await acts.ask(command);
        expect(JSON.stringify(blocks) + text).toMatch(no);
        expect(JSON.stringify(blocks) + text).not.toMatch(CONTENT);
      }
      expect(await asked(world, before)).toEqual([]);
    });
  });

  describe.each([
    ['answers 500', { status: 500 }],
    ['answers 401', { status: 401 }],
    ['cuts the line', { kind: 'reset' }],
    ['answers nonsense', { kind: 'malformed' }],
  ])('while the platform %s when it is asked for roles', (_how, fault) => {
    /** Ada has not been looked up before, so nothing of hers is remembered. */
    const ada = () => userOf(world, 'U0ADA');

    it('nobody is let in, and nothing else is read', async () => {
      await world.platform('faults', { faults: [{ path: '/user', ...fault }] });
      const before = (await world.platformRequests()).requests.length;

      const forms = [];
      for (const command of ['/alert set 900', '/billing orgs create']) {
        const form = await ada().open(command);
        forms.push(form);
        await ada().close(form);
      }
      const answers = [await ada().ask('/billing tokens'), await ada().ask('/changes')];
      await world.platform('faults', { faults: [] });

      for (const { text, fields, view } of forms) {
        expect(text).toMatch(SENTENCE);
        expect({ fields, submit: view.submit }).toEqual({ fields: {}, submit: undefined });
      }
      for (const { text } of answers) expect(text).not.toMatch(CONTENT);
      expect(await asked(world, before)).toEqual([]);
    });

    it('nobody decides', async () => {
      const ben = userOf(world, 'U0BEN');
      const wrote = (await writes(world)).length;
      const id = await request(world, ada(), { command: '/alert set 700' });
      const review = await ben.openBy(await cardOf(world, id), 'Review');
      await world.platform('faults', { faults: [{ path: '/user', ...fault }] });

      const told = await ben.answer(() => ben.submit(review, { Decision: 'Approve' }), 'C0APPROVE');

      expect(told.text).toMatch(SENTENCE);
      await cardOf(world, id, 'pending');
      await world.platform('faults', { faults: [] });
      await ada().press(await cardOf(world, id), 'Withdraw');
      await cardOf(world, id, 'withdrawn');
      expect(await writes(world)).toHaveLength(wrote);
    });
  });
});
