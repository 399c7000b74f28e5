import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createHarness, type Harness, type Seen } from './harness.ts';

const ADA = 'U0ADA';
const DEPLOYS = 'C0DEPLOYS';

let harness: Harness;

beforeAll(async () => {
  harness = await createHarness();
});
afterAll(async () => {
  await harness.close();
});
afterEach(async () => {
  await harness.platform('faults', { faults: [] });
});

const ask = (text: string, user = ADA, channel = DEPLOYS): Promise<Seen> =>
  harness.ask(user, channel, text);
const shown = ({ blocks }: Seen): string => JSON.stringify(blocks);

describe('help', () => {
  it.each([
    ['/deployments', 'Nothing is watched.'],
    ['/workload help', '/workload – Addresses'],
    ['/purser', 'Check a deployment'],
    ['/purser HELP /Deployments', '/deployments – Is it deployed?'],
    ['/purser help invioce', 'Nothing here is about invioce. Commands for invoice'],
  ])('%s is answered privately', async (text, words) => {
    expect((await ask(text)).text).toContain(words);
  });

  it('is a click away from a mistake, which is one line: the problem and a suggestion', async () => {
    const answer = await ask('/deployments wach shop');

    expect(answer.text).toMatch(
      /^I don’t know `wach`\. Did you mean `\/deployments watch shop`\?$/,
    );
    expect(answer.blocks.map(({ type }) => type)).toEqual(['section', 'actions']);
    const words = await harness.turned(ADA, DEPLOYS, answer, 'command.words');
    expect(words).toContain('`/deployments GVC[/WORKLOAD[/LOCATION]] [org NAME]`');
    expect(words).toContain('`/deployments watch GVC[/WORKLOAD]');
    expect(words).toContain('For example: `/deployments shop/cart`');
  });

  it('runs the suggestion, and shows the answer of that command', async () => {
    const slip = await ask('/deployments unwach shop');

    expect(slip.text).toContain('Did you mean `/deployments unwatch shop`?');
    expect(await harness.turned(ADA, DEPLOYS, slip, 'command.run')).toContain(
      'Nothing was removed',
    );
  });

  it('/alert says that billing is off where it is', async () => {
    expect((await ask('/alert')).text).toContain('Billing isn’t set up');
  });
});

describe('/deployments GVC', () => {
  it('shows the state of every workload in every location', async () => {
    const answer = await ask('/deployments shop');

    expect(answer.text).toContain('shop: 8 ready, 1 idle, 1 on a schedule · org acme');
    expect(shown(answer)).toContain('"type":"data_table"');
    expect(shown(answer)).toContain('aws-us-west-2');
  });

  it.each([
    ['/deployments nowhere', 'There is no nowhere in org acme'],
    ['/deployments shop/nothing/aws-us-west-2', 'There is no workload nothing in shop'],
    ['/deployments shop org <!channel>', 'Purser has no key for org &lt;!channel&gt;'],
    ['/deployments watchs', 'Did you mean `/deployments watches`?'],
  ])('%s is refused with a sentence', async (text, words) => {
    expect((await ask(text)).text).toContain(words);
  });

  it.each([
    [{ status: 401 }, 'check ORG_TOKENS'],
    [{ status: 500 }, 'try again in a minute'],
    [{ kind: 'malformed' }, 'cannot be read'],
  ])('says what to do when the platform answers with %j, and logs it', async (fault, words) => {
    await harness.platform('faults', { faults: [{ path: 'shop', ...fault }] });

    expect((await ask('/deployments shop')).text).toContain(words);
    expect(harness.lines()).toContain('The platform did not answer a command');
  });
});

describe('watches', () => {
  it('are made, changed, listed and ended', async () => {
    expect((await ask('/deployments watch shop only failed')).text).toContain(
      'Watching acme/shop in <#C0DEPLOYS> (only failed)\nonly these outcomes are posted.',
    );
    expect((await ask('/deployments watch shop quiet')).text).toContain('Changed the watch');
    expect((await ask('/deployments watches')).text).toMatch(
      /acme\/shop: last read .*; posts all outcomes; in the thread; made by <@U0ADA>/,
    );
    const elsewhere = await ask('/deployments watches', ADA, 'C0OPS');
    expect(elsewhere.text).toContain('Nothing is watched in <#C0OPS>. 1 in other channels.');

    expect((await ask('/deployments unwatch shop')).text).toContain('No longer watching');
    expect((await ask('/deployments unwatch shop')).text).toContain('Nothing was removed');
    expect((await ask('/deployments watches')).text).toContain('Nothing is watched');
  });

  it('are not made where the bot could not post', async () => {
    const refusal = await ask('/deployments watch shop in #random');

    expect(refusal.text).toContain('/invite @Purser');
    expect((await ask('/deployments watches in #random')).text).toContain('Nothing is watched');
  });
});

it('the log has no credential and no response_url in it', () => {
  const lines = harness.lines();

  expect(lines.length).toBeGreaterThan(0);
  for (const secret of ['xoxb-sandbox', 'sandbox-signing-secret', 'bsat', '/response/R']) {
    expect(lines).not.toContain(secret);
  }
});
