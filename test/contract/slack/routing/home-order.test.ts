import { describe, expect, it } from 'vitest';
import { until } from '../../../support/until.ts';
import { gate } from '../harness.ts';
import { openHome, part, readHome } from './home-support.ts';

const BEN = 'U0BEN';

/** A part whose answers are given one by one, in any order. */
function answers(...texts: string[]) {
  const gates = texts.map((text) => ({ text, ...gate() }));
  let asked = 0;
  return {
    asked: () => asked,
    give: (index: number) => gates[index]?.open(),
    async says() {
      const mine = gates[asked];
      asked += 1;
      await mine?.passed;
      return mine?.text ?? 'asked too often';
    },
  };
}

describe('a home tab that is opened again', () => {
  it('while it is being filled in is read once', async () => {
    const sums = answers('a sum', 'a sum for Ben');
    const { visit, tab, whole } = await openHome([part('Sums', () => sums.says())]);

    await visit();
    await tab('the headings', (said) => said.includes('Reading …'));
    await visit();
    await visit();
    // Visits are handled in order: by Ben's visit everything that Ada's visits set off has begun.
    await visit(BEN);
    await until('Ben to be read for', () => sums.asked() > 1);
    sums.give(0);
    sums.give(1);
    await whole();

    expect(sums.asked()).toBe(2);
  });

  it('with Refresh is read anew, and an older reading never comes after a newer one', async () => {
    const sums = answers('the old sum', 'the new sum', 'the last sum');
    const { visit, tab, whole, published, pressHome } = await openHome([
      part('Sums', () => sums.says()),
    ]);

    await visit();
    await tab('the headings', (said) => said.includes('Refresh'));
    await pressHome('home.refresh');
    sums.give(1);
    await tab('the new sum', (said) => said.includes('the new sum'));
    sums.give(0);
    sums.give(2);
    await pressHome('home.refresh');
    await tab('the last sum', (said) => said.includes('the last sum'));
    await whole();

    expect((await published()).filter((said) => said.includes('the old sum'))).toEqual([]);
  });

  it('shows the latest when Slack is slow to take the one before', async () => {
    const { visit, whole, faults, published } = await openHome([
      part('Sums', () => Promise.resolve('a sum')),
    ]);
    await faults({ method: 'views.publish', kind: 'delay-before', delayMs: 1_500, times: 1 });

    await visit();
    await whole();

    expect((await published()).at(-1)).toContain('a sum');
  });

  it('is published once more when Slack did not take it', async () => {
    const sums = answers('a sum');
    const { visit, tab, whole, faults } = await openHome([part('Sums', () => sums.says())]);
    await visit();
    await tab('the headings', (said) => said.includes('Reading …'));
    await faults({ method: 'views.publish', kind: 'error', error: 'internal_error', times: 1 });

    sums.give(0);

    expect(JSON.stringify((await whole()).blocks)).toContain('a sum');
  });

  it('is published once Slack takes it again, when many people open theirs at once', async () => {
    const sums = answers('a sum');
    const { visit, tab, whole, faults } = await openHome([part('Sums', () => sums.says())]);
    await visit();
    await tab('the headings', (said) => said.includes('Reading …'));
    await faults({ method: 'views.publish', kind: 'ratelimit', retryAfter: 4, times: 2 });

    sums.give(0);

    expect(JSON.stringify((await whole()).blocks)).toContain('a sum');
  });

  it('by a delivery that was repeated is not read again', async () => {
    const sums = answers('a sum', 'another sum');
    sums.give(0);
    const { replay } = await readHome([part('Sums', () => sums.says())]);

    await replay();

    expect(sums.asked()).toBe(1);
  });

  it('on its other tab is left alone', async () => {
    const sums = answers('a sum');
    const { visit, deliveries, home: tab } = await openHome([part('Sums', () => sums.says())]);

    await visit(undefined, 'messages');

    expect(await deliveries()).toContainEqual(
      expect.objectContaining({ name: 'app_home_opened', ok: true }),
    );
    expect(sums.asked()).toBe(0);
    expect(await tab()).toBeNull();
  });
});
