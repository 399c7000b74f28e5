import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { until } from '../../support/until.ts';
import { createHarness, type Harness, type Seen } from './harness.ts';

const CHANNEL = 'C0BILLING';
const [ADA, BEN, CLEO, DANA, NOEL] = ['U0ADA', 'U0BEN', 'U0CLEO', 'U0DANA', 'U0NOEL'];

let harness: Harness;

beforeAll(async () => {
  harness = await createHarness({ ROLE: 'app' });
});
afterAll(async () => {
  await harness.close();
});

const ask = (user: string, text: string): Promise<Seen> => harness.ask(user, CHANNEL, text);
const said = ({ blocks }: Seen): string => JSON.stringify(blocks);
const isTable = ({ blocks }: Seen): boolean =>
  blocks.some(({ type }) => type === 'table' || type === 'data_table');
const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(harness.money).filter(([name]) => !names.includes(name)));

describe('a bot with all of the platform', () => {
  beforeAll(() => harness.restartBot(harness.money));

  it.each(['/charges last month', '/invoices'])(
    'shows %s only to a billing_admin or billing_viewer',
    async (command) => {
      const [admin, viewer] = [await ask(ADA, command), await ask(CLEO, command)];
      const [creator, nameless] = [await ask(DANA, command), await ask(NOEL, command)];

      expect([admin, viewer].map(isTable)).toEqual([true, true]);
      expect([creator, nameless].map(isTable)).toEqual([false, false]);
      expect(creator.text).toContain('You need the role billing_admin or billing_viewer for this.');
      expect(nameless.text).toContain('Your Slack profile shows no e-mail address: add one');
    },
  );

  it('takes no e-mail for a person’s that Slack says is not confirmed', async () => {
    await harness.slack('email-confirmed', { user: BEN, confirmed: false });

    const answers = [await ask(BEN, '/charges last month'), await ask(BEN, '/billing tokens')];

    expect(answers.map(isTable)).toEqual([false, false]);
    for (const { text } of answers) {
      expect(text).toContain(
        'ben@acme.example is not confirmed: confirm it in your Slack account settings',
      );
    }
    const who = said(await ask(BEN, '/purser whoami'));
    expect(who).toContain(
      '*You may not* · You need a role for this. Your address ben@acme.example is not confirmed',
    );
    expect(who).not.toContain('✓ see charges');
    await harness.slack('email-confirmed', { user: BEN, confirmed: true });
  });

  it('shows /usage to every member, billing role or not', async () => {
    expect(isTable(await ask(DANA, '/usage last month of cpu'))).toBe(true);
  });
});

describe('the settings of a bot', () => {
  it('say which user group sees /usage; /charges asks for the billing role all the same', async () => {
    await harness.restartBot({ ...harness.money, ORG_ACCESS: 'S0PLATFORM' });

    const [member, other] = [
      await ask(ADA, '/usage last month of cpu'),
      await ask(BEN, '/usage last month of cpu'),
    ];

    expect(isTable(member)).toBe(true);
    expect(other.text).toContain('one user group');
    expect(isTable(await ask(BEN, '/charges last month'))).toBe(true);
  });

  it('say that /usage takes a billing role of any kind', async () => {
    await harness.restartBot({ ...harness.money, ORG_ACCESS: 'roles' });

    expect(isTable(await ask(DANA, '/usage last month of cpu'))).toBe(true);
    expect((await ask(NOEL, '/usage last month of cpu')).text).toContain(
      'Your Slack profile shows no e-mail address: add one',
    );
  });

  it('say which orgs /usage is about: those whose keys there are', async () => {
    const { acme, initech } = JSON.parse(harness.money['ORG_TOKENS'] ?? '') as Record<
      string,
      string
    >;
    await harness.restartBot({
      ...harness.money,
      ORG_TOKENS: JSON.stringify({ initech, acme }),
      ORG_ACCESS: 'members',
    });
    const before = (await harness.platformRequests()).length;

    const all = await ask(ADA, '/usage last month of cpu by org');
    const missing = await ask(ADA, '/usage last month of cpu org globex');

    const asked = (await harness.platformRequests())
      .slice(before)
      .flatMap(({ path }) => /\/usage\/org\/(?<org>\w+)/.exec(path)?.groups?.['org'] ?? []);
    expect([...new Set(asked)].toSorted()).toEqual(['acme', 'initech']);
    expect(said(all)).not.toContain('globex');
    expect(isTable(missing)).toBe(false);
    expect(missing.text).toContain('globex');
  });

  it('say which currency invoices are in, and with it how large its smallest unit is', async () => {
    await harness.restartBot({ ...harness.money, CURRENCY: 'USD' });
    const dollars = amounts(await ask(ADA, '/invoices'), /\$(?<amount>[\d,.]+)/g);
    await harness.restartBot({ ...harness.money, CURRENCY: 'JPY' });
    const yen = amounts(await ask(ADA, '/invoices'), /¥(?<amount>[\d,.]+)/g);

    expect(dollars.length).toBeGreaterThan(5);
    expect(yen).toEqual(dollars.map((amount) => Math.round(amount * 100)));
  });

  function amounts(answer: Seen, pattern: RegExp): number[] {
    return [...said(answer).matchAll(pattern)].map(({ groups }) =>
      Number((groups?.['amount'] ?? '').replaceAll(',', '')),
    );
  }
});

describe('charges of single orgs (ORG_CHARGES)', () => {
  const ROLE = 'You need the role billing_admin or billing_viewer for this.';

  it('are off by default: a person without a billing role is refused with the name of the role', async () => {
    await harness.restartBot(harness.money);

    expect((await ask(DANA, '/charges last month org acme')).text).toContain(ROLE);
  });

  it('are shown of the named org, or of DEFAULT_ORG, to people that ORG_ACCESS admits', async () => {
    await harness.restartBot({ ...harness.money, ORG_CHARGES: 'true', DEFAULT_ORG: 'acme' });
    const asked = await pathsOf(async () => {
      const [named, usual] = [
        await ask(DANA, '/charges last month org globex'),
        await ask(DANA, '/charges last month by gvc'),
      ];
      expect([named, usual].map(isTable)).toEqual([true, true]);
      expect(named.text).toContain('in org `globex`');
      expect(usual.text).toContain('in org `acme`');
      const notes = await harness.user(DANA).openBy(named, 'Details');
      expect(notes.text).toContain(
        'each org is priced alone, and volume discounts depend on the whole account',
      );
    });

    expect(asked).toContain('/billing/org/globex/charges/-query');
    expect(asked).toContain('/billing/org/acme/charges/-query');
    expect(asked.filter((path) => /\/account\/.*-query$/.test(path))).toEqual([]);
  });

  it('equal the account’s charges for that org', async () => {
    await harness.restartBot({ ...harness.money, ORG_CHARGES: 'true', DEFAULT_ORG: 'acme' });

    const admin = await ask(ADA, '/charges last month org initech by gvc');
    const member = await ask(DANA, '/charges last month org initech by gvc');

    const total = ({ text }: Seen) => text.split('\n')[0];
    expect(total(member)).toBe(total(admin));
    expect(said(admin)).not.toContain('single orgs');
  });

  it('of several orgs are each asked for, and a person with the role gets the account', async () => {
    await harness.restartBot({ ...harness.money, ORG_CHARGES: 'true', DEFAULT_ORG: '' });

    const asked = await pathsOf(async () => {
      expect(isTable(await ask(DANA, '/charges last month org acme,globex'))).toBe(true);
    });
    const nameless = await ask(DANA, '/charges last month');
    const account = await pathsOf(async () => {
      expect(isTable(await ask(ADA, '/charges 2026-01'))).toBe(true);
    });

    expect(asked.filter((path) => path.endsWith('/charges/-query')).toSorted()).toEqual(
      ['acme', 'acme', 'globex', 'globex'].map((org) => `/billing/org/${org}/charges/-query`),
    );
    expect(nameless.text).toContain('add "org NAME", one of acme, globex, initech');
    expect(account.filter((path) => path.includes('/org/'))).toEqual([]);
  });

  it('take neither an account nor its token; the items can be read, tag values cannot', async () => {
    const { BILLING_URL = '', ...rest } = harness.money;
    const bare = Object.fromEntries(
      Object.entries(rest).filter(([name]) => !name.startsWith('BILLING_')),
    );
    await harness.restartBot({ ...bare, BILLING_URL, ORG_CHARGES: 'true', DEFAULT_ORG: 'acme' });

    expect(isTable(await ask(ADA, '/charges last month'))).toBe(true);
    expect(isTable(await ask(DANA, '/charges items'))).toBe(true);
    expect((await ask(ADA, '/charges tags gvc')).text).toContain(
      'has to set BILLING_ACCOUNT_ID and BILLING_TOKEN.',
    );
    expect((await ask(ADA, '/invoices')).text).toContain('Billing isn’t set up');
    const help = (await ask(ADA, '/purser help')).text;
    expect(help).toContain('See costs');
    expect(help).not.toContain('Pay invoices');
  });

  it('are refused with the role where the key of the org has no readMetrics', async () => {
    const keys = JSON.stringify({ acme: 'sandbox-readusage-acme' });
    await harness.restartBot({
      ...harness.money,
      ORG_CHARGES: 'true',
      ORG_TOKENS: keys,
      ORG_ACCESS: 'members',
    });

    const refusal = await ask(DANA, '/charges last month');

    expect(refusal.text).toContain(ROLE);
    expect(refusal.text).toContain('the charges of org acme alone take readMetrics on its key');
  });

  it('are of the orgs that a filter names, and of no expression', async () => {
    await harness.restartBot({ ...harness.money, ORG_CHARGES: 'true', DEFAULT_ORG: 'acme' });

    const [filtered, named] = [
      await ask(DANA, '/charges last month where org=globex'),
      await ask(DANA, '/charges last month org globex'),
    ];
    const both = await ask(DANA, '/charges last month where org=/^(acme|globex)$/');
    const unclear = await ask(DANA, '/charges last month where org=/o/');

    const withoutAge = (text: string) => text.replace(/\nRead .* ago(?=\n|$)/, '');
    expect(withoutAge(filtered.text)).toBe(withoutAge(named.text));
    expect(both.text).toContain('in orgs `acme`, `globex`');
    expect(unclear.text).toContain('write "org NAME" instead of "where org=…"');
  });

  it('take any key for the chargeable items', async () => {
    const { globex } = JSON.parse(harness.money['ORG_TOKENS'] ?? '') as Record<string, string>;
    const keys = JSON.stringify({ acme: 'mistyped', globex });
    await harness.restartBot({
      ...harness.money,
      ORG_CHARGES: 'true',
      ORG_TOKENS: keys,
      ORG_ACCESS: 'members',
    });

    const whole = await ask(DANA, '/charges last month org globex');
    const part = await ask(DANA, '/charges last month org acme,globex');

    expect(isTable(whole)).toBe(true);
    expect(said(whole)).not.toContain('too low');
    expect(said(part)).toContain('Without acme:');
    // The comparison is of the org that answered.
    const total = /\$[\d,.]+, \S+% vs \w+/.exec(whole.text)?.[0];
    expect(total).toBeDefined();
    expect(part.text).toContain(total);
  });

  it('are refused to people that ORG_ACCESS does not admit, with the role that it takes', async () => {
    await harness.restartBot({ ...harness.money, ORG_CHARGES: 'true', ORG_ACCESS: 'S0PLATFORM' });

    const refusal = await ask(NOEL, '/charges org acme');

    expect(isTable(await ask(DANA, '/charges last month org acme'))).toBe(true);
    expect(refusal.text).toContain('You need the role billing_admin or billing_viewer for this.');
  });

  it('are shown by /purser whoami, and looked at by the doctor', async () => {
    await harness.restartBot({ ...harness.money, ORG_CHARGES: 'true' });

    expect(said(await ask(DANA, '/purser whoami'))).toContain('✓ see the charges of single orgs');
    const well = await harness.user(ADA).openBy(await ask(ADA, '/purser doctor'), 'Show checks');
    expect(well.text).toMatch(/Org initech, charges[^·]*: the key can read them/);
  });

  async function pathsOf(work: () => Promise<void>): Promise<string[]> {
    const before = (await harness.platformRequests()).length;
    await work();
    return (await harness.platformRequests()).slice(before).map(({ path }) => path);
  }
});

describe('a bot without a part of the platform', () => {
  const BILLING = ['BILLING_URL', 'BILLING_ACCOUNT_ID', 'BILLING_TOKEN', 'BILLING_USER_TOKEN'];

  it('says what /charges and /invoices lack, and still shows the usage', async () => {
    await harness.restartBot(without(...BILLING));

    for (const command of [
      '/charges',
      '/charges items',
      '/charges tags gvc',
      '/invoices pending',
    ]) {
      expect((await ask(ADA, command)).text).toBe(
        'Billing isn’t set up. Ask your Purser administrator (details in /purser doctor).',
      );
    }
    expect(isTable(await ask(ADA, '/usage last month of cpu'))).toBe(true);
  });

  it('names the contact where CONTACT is set, also in the blocks', async () => {
    await harness.restartBot({ ...without('USAGE_URL'), CONTACT: '<!subteam^S0ONCALL>' });

    const answer = await ask(ADA, '/usage');

    const sentence = 'Usage isn’t set up. Ask <!subteam^S0ONCALL> (details in /purser doctor).';
    expect(answer.text).toBe(sentence);
    expect(JSON.stringify(answer.blocks)).toContain(sentence);
  });

  it('names the people who grant roles where APPROVERS is set', async () => {
    await harness.restartBot({ ...harness.money, APPROVERS: 'S0ADMINS' });

    expect((await ask(DANA, '/invoices')).text).toBe(
      'You need the role billing_admin or billing_viewer for this. Ask <!subteam^S0ADMINS>.',
    );
  });

  it('says what /usage lacks, and still shows the charges', async () => {
    await harness.restartBot(without('USAGE_URL'));

    for (const command of ['/usage', '/usage tags gvc']) {
      expect((await ask(ADA, command)).text).toBe(
        'Usage isn’t set up. Ask your Purser administrator (details in /purser doctor).',
      );
    }
    expect(isTable(await ask(ADA, '/charges last month'))).toBe(true);
  });
});

it('a bot that is restarted while it sends a file gives the file up, and says why', async () => {
  await harness.restartBot(harness.money);
  const uploads = holdUploads();
  const answer = ask(ADA, '/invoices pdf 1');
  await until('the upload', () => uploads.count() === 1);

  await harness.restartBot(harness.money);

  expect((await answer).text).toContain('Purser is being restarted');
  expect(await harness.messages('D0ADA')).toEqual([]);
});

/** Slack takes the bytes of files and does not answer. */
function holdUploads() {
  const send = globalThis.fetch;
  let count = 0;
  const held = vi.spyOn(globalThis, 'fetch').mockImplementation((address, options = {}) => {
    if (!(typeof address === 'string' && address.includes('/upload/'))) {
      return send(address, options);
    }
    count += 1;
    return new Promise((_resolve, reject) => {
      const { signal } = options;
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
  });
  onTestFinished(() => held.mockRestore());
  return { count: () => count };
}
