import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../../src/lib/errors.ts';
import { until } from '../../../support/until.ts';
import { gate } from '../harness.ts';
import { openHome, part, readHome } from './home-support.ts';

const AWAY = 'The platform does not answer just now: please try again in a minute.';
const away = () => Promise.reject<string>(new Refusal(AWAY, new Error('503')));

describe('a home tab and who looks at it', () => {
  it('uses one reading of a person for all its parts', async () => {
    let readings = 0;
    const who = () => {
      readings += 1;
      return Promise.resolve({});
    };
    const asking = (title: string) =>
      part(title, () => Promise.resolve(title), { fill: async (_, known) => (await known(), []) });
    const { visit, whole } = await openHome([asking('Roles'), asking('Sums')], {
      services: { principal: who },
    });

    await visit();
    await whole();

    expect(readings).toBe(1);
  });

  it('is closed altogether when the person is no longer admitted', async () => {
    let refusal: string | undefined;
    const who = () => Promise.resolve(refusal === undefined ? {} : { refusal });
    const { visit, tab } = await readHome([part('Sums', () => Promise.resolve('a sum'))], {
      services: { principal: who },
    });

    refusal = 'This Slack account is deactivated.';
    await visit();
    const { blocks } = await tab('a sentence', (said) => said.includes('deactivated'));

    expect(blocks).toHaveLength(1);
  });

  it('loses a part that the person may not see, though it was filled in, and for good', async () => {
    const known = gate();
    const who = () => known.passed.then(() => ({ spendRefusal: 'This takes a role.' }));
    const sums = part('Sums', () => Promise.resolve('a sum'), {
      refusal: ({ spendRefusal }) => spendRefusal,
    });
    const { visit, tab, published, pressHome } = await openHome([sums], {
      services: { principal: who },
    });

    await visit();
    await tab('the part', (said) => said.includes('a sum'));
    known.open();
    await tab('a sentence', (said) => said.includes('This takes a role.'));
    const count = (await published()).length;
    await pressHome('home.refresh');
    await until('two more', async () => (await published()).length >= count + 2);

    expect((await published()).slice(count).join(' ')).not.toContain('a sum');
  });

  it('keeps the shown parts when no one answers, with their times and one reason', async () => {
    let isAway = false;
    const says = (text: string) => () => (isAway ? away() : Promise.resolve(text));
    const { visit, tab } = await readHome([
      part('Roles', says('a role')),
      part('Sums', says('a sum')),
      part('Own', () => Promise.resolve('a request')),
    ]);

    isAway = true;
    await visit();
    const { blocks } = await tab('the reason', (said) => said.includes('does not answer'));
    const said = JSON.stringify(blocks);

    expect(said.match(/does not answer/g)).toHaveLength(1);
    expect(said).toMatch(/a role.*As of <!date.*a sum.*As of <!date.*a request/);
  });

  it('says once why several parts are not known', async () => {
    const { visit, whole } = await openHome([part('Roles', away), part('Sums', away)]);

    await visit();
    const said = JSON.stringify((await whole()).blocks);

    expect(said.match(/does not answer/g)).toHaveLength(1);
    expect(said.match(/Not known just now/g)).toHaveLength(2);
  });

  it('leaves out a hidden part without a word when the person lacks its role', async () => {
    const known = gate();
    const who = () => known.passed.then(() => ({ spendRefusal: 'This takes a role.' }));
    const hidden = { hidden: true, refusal: () => 'This takes a role.' } as const;
    const sums = part('Sums', () => Promise.resolve('a sum'), hidden);
    const own = part('Own', () => Promise.reject(new Refusal('This takes a role.')), hidden);
    const { visit, tab } = await openHome([sums, own], { services: { principal: who } });

    await visit();
    await tab('the part', (said) => said.includes('a sum') && !said.includes('Own'));
    known.open();
    const { blocks } = await tab('no part', (said) => !said.includes('Sums'));

    expect(JSON.stringify(blocks)).not.toMatch(/Own|takes a role/);
  });

  it('forgets the content of a part after a refusal', async () => {
    let says = () => Promise.resolve('a sum');
    const { visit, tab } = await readHome([part('Sums', () => says())]);

    says = () => Promise.reject(new Refusal('This takes a role.'));
    await visit();
    await tab('a no', (said) => said.includes('This takes a role.'));
    says = away;
    await visit();
    const { blocks } = await tab('the reason', (said) => said.includes('does not answer'));

    expect(JSON.stringify(blocks)).not.toContain('a sum');
  });
});
