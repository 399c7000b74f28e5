import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../../src/lib/errors.ts';
import { gate } from '../harness.ts';
import { before, openHome, part, readHome } from './home-support.ts';

const MINUTE_MS = 60_000;

describe('the home tab', () => {
  it('is there at once, with the headings of the parts that are still being read', async () => {
    const slow = gate();
    const { visit, tab } = await openHome([
      part('Slow', () => slow.passed.then(() => 'the slow part')),
      part('Fast', () => Promise.resolve('the fast part')),
    ]);

    await visit();
    const early = await tab('the fast part', (said) => said.includes('the fast part'));
    slow.open();
    const late = await tab('the slow part', (said) => said.includes('the slow part'));

    expect(JSON.stringify(early.blocks)).toContain('Reading …');
    expect(JSON.stringify(late.blocks)).not.toContain('eading');
    expect(JSON.stringify(late.blocks)).toContain('As of');
  });

  it('is published twice when all is there quickly, and a few times when a part is slow', async () => {
    const slow = gate();
    let wait = Promise.resolve();
    const { visit, whole, published, tab } = await openHome([
      part('One', () => wait.then(() => 'one')),
      part('Two', () => Promise.resolve('two')),
      part('Three', () => Promise.resolve('three')),
    ]);

    await visit();
    await whole();
    const quick = (await published()).length;
    wait = slow.passed;
    await visit();
    await tab('a second reading', (said) => said.includes('reading again'));
    slow.open();
    await whole();

    expect(quick).toBeLessThanOrEqual(2);
    expect((await published()).length - quick).toBeLessThanOrEqual(4);
  });

  it('has its parts in the order of their ranks, and leaves out those with nothing to say', async () => {
    const says = (text: string) => () => Promise.resolve(text);
    const { visit, whole } = await openHome([
      part('Second', says('b'), { rank: 20 }),
      part('Nothing', says(''), { rank: 15, fill: () => Promise.resolve([]) }),
      part('First', says('a'), { rank: 10 }),
    ]);

    await visit();
    const said = JSON.stringify((await whole()).blocks);

    expect(before(said, 'First', 'Second')).toBe(true);
    expect(said).not.toContain('Nothing');
  });

  it('shows at once the content of the last five minutes, with its time', async () => {
    const slow = gate();
    let says = () => Promise.resolve('the first sum');
    const { visit, whole, tab, published } = await readHome([part('Sums', () => says())]);
    const known = (await published()).length;

    says = () => slow.passed.then(() => 'the second sum');
    await visit();
    const old = await tab('the earlier content', (said) => said.includes('reading again'));
    slow.open();
    const fresh = await whole();

    expect((await published())[known]).toContain('the first sum');
    expect(JSON.stringify(old.blocks)).toContain('As of');
    expect(JSON.stringify(fresh.blocks)).toContain('the second sum');
  });

  it('shows nothing that is older', async () => {
    let now = Date.UTC(2026, 10, 21);
    const slow = gate();
    let says = () => Promise.resolve('the first sum');
    const clock = { now: () => now };
    const { visit, tab } = await readHome([part('Sums', () => says())], {
      services: { clock },
    });

    now += 5 * MINUTE_MS;
    says = () => slow.passed.then(() => 'the second sum');
    await visit();
    const reading = await tab('the headings', (said) => said.includes('Reading …'));
    slow.open();
    await tab('the second sum', (said) => said.includes('the second sum'));

    expect(JSON.stringify(reading.blocks)).not.toContain('the first sum');
  });

  it('says of each part why it is not there, and shows the others', async () => {
    const { visit, whole, lines } = await openHome([
      part('Closed', () => Promise.reject(new Refusal('This takes a role: ask for it.'))),
      part('Broken', () => Promise.reject(new Error('a defect'))),
      part('Open', () => Promise.resolve('open to all')),
    ]);

    await visit();
    const said = JSON.stringify((await whole()).blocks);

    expect(said).toContain('This takes a role: ask for it.');
    expect(said).toContain('Something went wrong inside Purser');
    expect(said).toContain('open to all');
    expect(said).not.toContain('a defect');
    expect(lines()).toContain('a defect');
  });

  it('does not show a failure again as if it still held', async () => {
    const slow = gate();
    let says = () => Promise.reject<string>(new Refusal('The platform is away.'));
    const { visit, whole, tab, published } = await readHome([part('Sums', () => says())]);
    const known = (await published()).length;

    says = () => slow.passed.then(() => 'a sum');
    await visit();
    await tab('a reading', (said) => said.includes('Reading …'));
    slow.open();
    await whole();

    expect((await published())[known]).not.toContain('The platform is away.');
  });

  it('waits for no part longer than its time, and for the others not at all', async () => {
    const never = new Promise<string>(() => {});
    const { visit, whole } = await openHome(
      [part('Hanging', () => never), part('Quick', () => Promise.resolve('quick'))],
      { services: { partMs: 900 } },
    );

    await visit();
    const said = JSON.stringify((await whole()).blocks);

    expect(said).toContain('This takes too long just now: please refresh in a minute.');
    expect(said).toContain('quick');
  });

  it('has one sentence for people that the bot does not admit, and asks nothing for them', async () => {
    let asked = 0;
    const { visit, tab } = await openHome(
      [part('Sums', () => Promise.resolve(`${(asked += 1)}`))],
      {
        services: { authorize: () => Promise.reject(new Refusal('Guests cannot use Purser.')) },
      },
    );

    await visit();
    const { blocks } = await tab('a sentence', (said) => said.includes('Guests'));

    expect(blocks).toHaveLength(1);
    expect(asked).toBe(0);
  });

  it('loses its content for good when a person is no longer admitted', async () => {
    const slow = gate();
    let authorize = () => Promise.resolve();
    let says = () => Promise.resolve('a sum');
    const { visit, tab } = await readHome([part('Sums', () => says())], {
      services: { authorize: () => authorize() },
    });

    authorize = () => Promise.reject(new Refusal('Your account is closed.'));
    await visit();
    const closed = await tab('a sentence', (said) => said.includes('closed'));
    authorize = () => Promise.resolve();
    says = () => slow.passed.then(() => 'another one');
    await visit();
    const back = await tab('the headings', (said) => said.includes('eading'));
    slow.open();

    expect(JSON.stringify([closed.blocks, back.blocks])).not.toContain('a sum');
  });

  it('has no secret in it', async () => {
    const { visit, whole } = await openHome([part('Sums', () => Promise.resolve('a top-secret'))]);

    await visit();

    expect(JSON.stringify((await whole()).blocks)).not.toContain('top-secret');
  });
});
