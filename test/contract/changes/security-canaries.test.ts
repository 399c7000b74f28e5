import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cardOf, decide, isEndOf, request } from '../../support/approvals.ts';
import {
  everythingInRedis,
  inRedis,
  keysOf,
  letPass,
  readChange,
  slackCalls,
  type SlackCall,
} from '../../support/changes-raw.ts';
import { userOf, type User } from '../../support/user.ts';
import { until } from '../../support/until.ts';
import { openWorld, type World } from '../../support/world.ts';
import type { RunningBot } from '../../support/running-bot.ts';

/** Secrets that the platform shows once, by their fate. */
const FATES = ['revealed', 'superuser', 'sealed', 'lapsed', 'unconfirmed', 'garbled'] as const;
type Fate = (typeof FATES)[number];
/** A part of a secret of so many characters is a leak, too. */
const ENOUGH = 12;
const STARTING = 120_000;

const canaries = Object.fromEntries(
  FATES.map((fate) => [fate, `${randomBytes(20).toString('hex')}-${fate}`]),
) as Record<Fate, string>;

/** A secret in every way in which it could be written down. */
function formsOf(secret: string): string[] {
  const start = secret.slice(0, ENOUGH);
  const bytes = Buffer.from(start);
  // Base64 of a part depends on its offset within three bytes.
  const base64 = [0, 1, 2].map((skip) =>
    Buffer.from(secret.slice(skip, skip + ENOUGH)).toString('base64'),
  );
  return [start, bytes.toString('hex'), ...base64];
}

function leaks(text: string, secret: string): string[] {
  return formsOf(secret).filter((form) => text.includes(form));
}

describe('secrets, with the log at its loudest', () => {
  let world: World;
  let bot: RunningBot;
  let ada: User;
  let ben: User;
  let dana: User;
  const ids = {} as Record<Fate, string>;
  const texts: Record<string, string> = {};
  let calls: SlackCall[] = [];

  beforeAll(async () => {
    world = await openWorld();
    bot = await world.startBot({ environment: { LOG_LEVEL: 'trace' } });
    [ada, ben, dana] = ['U0ADA', 'U0BEN', 'U0DANA'].map((user) => userOf(world, user)) as [
      User,
      User,
      User,
    ];
    for (const fate of FATES) {
      await answerWith(fate);
      ids[fate] = await ask(fate);
      await decide(world, ben, { id: ids[fate], decision: 'Approve' });
      await until(`${fate} to be taken`, async () =>
        ['succeeded', 'executing', 'failed'].includes((await readChange(world, ids[fate])).state),
      );
      await play[fate](ids[fate]);
    }
    await ada.press(await ada.ask('/changes'), 'Audit as a file');
    await ada.ask(`/changes show ${ids.revealed}`);
    await gather();
  }, STARTING);

  afterAll(() => world?.close());

  /** The platform says the canary in the answer to what creates. */
  function answerWith(fate: Fate): Promise<unknown> {
    const secret = canaries[fate];
    const id = `cafecafe-0000-4000-a000-${String(FATES.indexOf(fate)).padStart(12, '0')}`;
    const token = { id, name: fate, roles: ['billing_viewer'], token: secret };
    const org = { name: fate, Created: true, superuserServiceAccountToken: secret };
    const bodies: Partial<Record<Fate, unknown>> = {
      superuser: org,
      garbled: `{"token":"${secret}"`,
    };
    return world.platform('faults', {
      faults: [
        {
          method: 'POST',
          path: '(token|/org)$',
          status: 201,
          body: bodies[fate] ?? token,
          times: 1,
        },
      ],
    });
  }

  function ask(fate: Fate): Promise<string> {
    if (fate !== 'superuser') {
      return request(world, ada, {
        command: '/billing tokens create',
        entries: { Name: fate, Roles: ['billing_viewer'] },
      });
    }
    return request(world, dana, {
      command: '/billing orgs create',
      entries: {
        Name: fate,
        'Type the name again': fate,
        Invitees: 'dana@acme.example',
        'Superuser key': true,
      },
    });
  }

  const reported = (who: User, id: string) =>
    until(`a word of ${id}`, async () =>
      (await who.direct()).find((message) => isEndOf(message, id)),
    );
  const secretIs = (id: string, state: string) =>
    until(
      `the secret of ${id} to be ${state}`,
      async () => (await readChange(world, id)).secret?.state === state,
    );
  async function reveal(who: User, id: string): Promise<void> {
    await who.close(await who.openBy(await reported(who, id), 'Reveal'));
  }

  const play: Record<Fate, (id: string) => Promise<unknown>> = {
    async revealed(id) {
      await reveal(ada, id);
      await secretIs(id, 'revealed');
    },
    async superuser(id) {
      await reveal(dana, id);
      await secretIs(id, 'revealed');
    },
    sealed: (id) => secretIs(id, 'sealed'),
    async lapsed(id) {
      await secretIs(id, 'sealed');
      await letPass(world, id, 15 * 60_000);
      await secretIs(id, 'lapsed');
    },
    async unconfirmed(id) {
      const message = await reported(ada, id);
      await world.slack('faults', {
        faults: [{ method: 'views.update', kind: 'http-after', status: 500 }],
      });
      await ada.press(message, 'Reveal');
      await secretIs(id, 'lapsed');
      await world.slack('faults', { faults: [] });
    },
    async garbled(id) {
      await until(
        'the answer to be looked up',
        async () => (await readChange(world, id)).retryAt !== undefined,
      );
      await letPass(world, id, 100_000);
      await cardOf(world, id, 'failed');
    },
  };

  /** Everything that anyone could read afterwards. */
  async function gather(): Promise<void> {
    calls = await slackCalls(world);
    const audit = await until('the audit', async () => {
      const files = (await ada.direct()).flatMap(
        (message) => (message as unknown as { files: { id: string; name: string }[] }).files,
      );
      return files[0];
    });
    const file = await fetch(`${world.slackUrl}/page/files/${audit.id}/${audit.name}`);
    const messages = await fetch(`${world.slackUrl}/_sandbox/messages`);
    texts['the log'] = bot.log();
    texts['Redis'] = await everythingInRedis(world);
    texts['the messages in Slack'] = await messages.text();
    texts['calls to Slack'] = JSON.stringify(calls.filter((call) => !isRevelation(call)));
    texts['the audit'] = await file.text();
  }

  /** A window that shows a canary: the one place where it may be. */
  function isRevelation(call: SlackCall): boolean {
    const text = JSON.stringify(call);
    return call.method === 'views.update' && FATES.some((fate) => text.includes(canaries[fate]));
  }

  it.each(FATES)('one that was %s is nowhere but where it was shown', (fate) => {
    const found = Object.entries(texts).filter(
      ([, text]) => leaks(text, canaries[fate]).length > 0,
    );

    expect(found.map(([where]) => where)).toEqual([]);
  });

  it.each([
    ['revealed', 1],
    ['superuser', 1],
    ['sealed', 0],
    ['lapsed', 0],
    ['garbled', 0],
  ] as const)('one that was %s was shown %d times', (fate, times) => {
    expect(calls.filter((call) => JSON.stringify(call).includes(canaries[fate]))).toHaveLength(
      times,
    );
  });

  it('the search for leaks finds known contents', async () => {
    const reported = JSON.stringify(calls.filter(isRevelation));
    expect(leaks(reported, canaries.revealed)).toHaveLength(1);
    expect(texts['the log']?.includes('"level":"trace"')).toBe(true);
    const blind = Object.entries(texts).filter(([, text]) => !text.includes(ids.sealed));
    expect(blind.map(([where]) => where)).toEqual([]);
    await inRedis(world, (redis) =>
      redis.set('planted', Buffer.from(canaries.lapsed).toString('base64')),
    );
    expect(leaks(await everythingInRedis(world), canaries.lapsed)).not.toEqual([]);
  });

  it('a stored secret is encrypted, and expires', async () => {
    const key = keysOf(world).secret(ids.sealed);
    const [sealed, ttl] = await inRedis(world, async (redis) => [
      await redis.get(key),
      await redis.pttl(key),
    ]);

    expect(Buffer.from(sealed ?? '', 'base64').toString('latin1')).not.toContain(
      canaries.sealed.slice(0, ENOUGH),
    );
    expect(ttl).toBeGreaterThan(0);
    expect(ttl).toBeLessThanOrEqual(16 * 60_000);
    for (const fate of ['revealed', 'superuser', 'lapsed', 'unconfirmed', 'garbled'] as const) {
      const left = await inRedis(world, (redis) => redis.exists(keysOf(world).secret(ids[fate])));
      expect(left).toBe(0);
    }
  });

  it('the bot’s own keys are in none of the texts either', () => {
    const own = world.environment({ port: 0, opsPort: 0 });
    const keys = [
      'SECRET_KEY',
      'BILLING_TOKEN',
      'BILLING_USER_TOKEN',
      'SLACK_BOT_TOKEN',
      'SLACK_SIGNING_SECRET',
    ];
    const secrets = [
      ...keys.map((name) => own[name] ?? ''),
      ...Object.values(JSON.parse(own['ORG_TOKENS'] ?? '{}') as Record<string, string>),
    ];

    expect(secrets.every((secret) => secret.length > 8)).toBe(true);
    for (const text of Object.values(texts)) {
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    }
  });
});
