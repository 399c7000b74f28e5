import { describe, expect, it } from 'vitest';
import { keyOfOutcome } from '../../../../src/rollouts/messages/audience.ts';
import { PLACE } from '../engine/gvc-scenario.ts';
import { limaFailed, messages, outcomeOfCart, ref } from './scenario.ts';

const ROOT = 'acme/shop/@location/lima/failed/1';

describe('more outcomes than one message can name', () => {
  const many = Array.from({ length: 700 }, (_, index) => ref(`workload-${index}`));

  it('go on in replies with numbers of their own; each is told once', () => {
    const all = messages({ notices: [limaFailed({ covers: many })] });

    expect(all.map(({ key, threadKey }) => [key.split('/').at(-1), threadKey])).toEqual([
      ['1', undefined],
      ['1000001', ROOT],
      ['2000001', ROOT],
    ]);
    expect(all.flatMap(({ covers }) => covers)).toEqual(
      many.map(({ workload }) => `acme/shop/${workload}/12/failed`),
    );
    expect(Math.max(...all.map(({ covers = [] }) => covers.join(' ').length))).toBeLessThan(8_001);
  });

  it('stay where they are when others are added', () => {
    const told = (count: number) => {
      const flapping = outcomeOfCart({ kind: 'flapping', n: 2, covers: many.slice(0, count) });
      return messages({ rolloutNotices: [flapping] });
    };
    const [first, second] = told(400);

    expect(first).toMatchObject({ key: 'acme/shop/cart/12/flapping/2', broadcast: true });
    expect(second).toMatchObject({
      key: 'acme/shop/cart/12/flapping/1000002',
      threadKey: 'acme/shop/cart/12/card',
    });
    expect(told(700)[0]?.covers).toEqual(first?.covers);
    expect(told(700)[1]?.covers?.slice(0, second?.covers?.length)).toEqual(second?.covers);
  });

  it('say what they go on with', () => {
    const texts = [
      messages({ notices: [limaFailed({ covers: many })] })[1]?.text,
      messages({ rolloutNotices: [outcomeOfCart({ kind: 'flapping', covers: many })] })[1]?.text,
    ];

    expect(texts).toEqual([
      expect.stringMatching(/^shop in lima, continued: workload-\d+ v12 failed, .* and \d+ more$/),
      expect.stringMatching(/^shop\/cart v12, continued: workload-\d+ v12 failed, /),
    ]);
  });

  it.each([
    [8_000, 1],
    [8_001, 2],
  ])('%i characters take %i message(s)', (characters, count) => {
    const [first, second] = [ref('a'.repeat(3_000)), ref('b')];
    const taken = [first, second].reduce(
      (sum, one) => sum + keyOfOutcome(PLACE, one).length + 1,
      0,
    );
    const last = ref('c'.repeat(characters - taken - keyOfOutcome(PLACE, ref('')).length));
    const all = messages({ notices: [limaFailed({ covers: [first, second, last] })] });

    expect(all.flatMap(({ covers = [] }) => covers).join(' ')).toHaveLength(characters);
    expect(all).toHaveLength(count);
  });
});
