import { expect, test } from 'vitest';
import { createReadCache } from '../../../src/platform/concurrency.ts';

/** A cache whose clock is moved by hand, and questions that are answered by hand. */
function start() {
  let time = 1_000_000;
  const cache = createReadCache({ ttlMs: 15_000, now: () => time });
  const asked: Answer[] = [];
  return {
    asked,
    forget: () => cache.forget(),
    pass: (ms: number) => {
      time += ms;
    },
    read: (key: string, options: { fresh?: boolean; weigh?: () => number } = {}) =>
      cache.read(key, () => nextAnswer(asked), options),
  };
}

function nextAnswer(asked: Answer[]): Promise<string> {
  const answer = toBeAnswered();
  asked.push(answer);
  return answer.promise;
}

test('the same question within seconds is answered from memory, with the time of the first answer', async () => {
  const { read, asked, pass } = start();
  const slow = read('charges');
  pass(10_000);
  asked[0]?.resolve('12.50');
  const first = await slow;
  pass(14_999);

  const second = await read('charges');

  expect(first).toEqual({ value: '12.50', readAt: 1_010_000 });
  expect(second).toEqual(first);
  expect(asked).toHaveLength(1);
});

test('after its time an answer is asked for anew', async () => {
  const { read, asked, pass } = start();
  const first = read('charges');
  asked[0]?.resolve('12.50');
  await first;
  pass(15_000);

  const second = read('charges');
  asked[1]?.resolve('13.00');

  expect(await second).toEqual({ value: '13.00', readAt: 1_015_000 });
});

test('equal questions share one call, different ones do not', async () => {
  const { read, asked } = start();
  const answers = [read('charges'), read('charges'), read('usage')];
  asked[0]?.resolve('12.50');
  asked[1]?.resolve('7200');

  const values = (await Promise.all(answers)).map(({ value }) => value);

  expect(values).toEqual(['12.50', '12.50', '7200']);
  expect(asked).toHaveLength(2);
});

test('a failure reaches all who wait for it and is not remembered', async () => {
  const { read, asked } = start();
  const answers = [read('charges'), read('charges')];
  asked[0]?.reject(new Error('unreachable'));
  const outcomes = await Promise.allSettled(answers);

  const again = read('charges');
  asked[1]?.resolve('12.50');

  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await again).toMatchObject({ value: '12.50' });
});

test('a decision asks now, and its answer is remembered', async () => {
  const { read, asked, pass } = start();
  const first = read('alert');
  asked[0]?.resolve('old');
  await first;
  pass(1_000);

  const fresh = read('alert', { fresh: true });
  asked[1]?.resolve('new');

  expect(await fresh).toEqual({ value: 'new', readAt: 1_001_000 });
  expect(await read('alert')).toEqual({ value: 'new', readAt: 1_001_000 });
});

test('an answer that is overtaken by a later one does not replace it', async () => {
  const { read, asked, pass } = start();
  const slow = read('alert');
  pass(1_000);
  const fresh = read('alert', { fresh: true });
  asked[1]?.resolve('new');
  await fresh;
  asked[0]?.resolve('old');
  await slow;

  const remembered = await read('alert');

  expect(remembered.value).toBe('new');
});

test('after a write nothing is remembered that was read or being read before it', async () => {
  const { read, asked, forget } = start();
  const [done, running] = [read('orgs'), read('alert')];
  asked[0]?.resolve('before');
  await done;
  forget();
  asked[1]?.resolve('before');
  await running;

  const answers = [read('orgs'), read('alert')];
  asked[2]?.resolve('after');
  asked[3]?.resolve('after');

  expect((await Promise.all(answers)).map(({ value }) => value)).toEqual(['after', 'after']);
});

test('who asks after a write does not join a call from before it', async () => {
  const { read, asked, forget } = start();
  const before = read('alert');
  forget();
  const after = read('alert');
  asked[1]?.resolve('after');
  asked[0]?.resolve('before');

  expect((await Promise.all([before, after])).map(({ value }) => value)).toEqual([
    'before',
    'after',
  ]);
  expect(await read('alert')).toMatchObject({ value: 'after' });
});

test('an answer too large to be kept is given all the same', async () => {
  const { read, asked } = start();
  const first = read('charges', { weigh: () => 33 * 1024 * 1024 });
  asked[0]?.resolve('many rows');

  const { value } = await first;
  const again = read('charges');
  asked[1]?.resolve('asked anew');

  expect(value).toBe('many rows');
  expect(await again).toMatchObject({ value: 'asked anew' });
});

interface Answer {
  readonly promise: Promise<string>;
  readonly resolve: (value: string) => void;
  readonly reject: (error: Error) => void;
}

function toBeAnswered(): Answer {
  let settle: Omit<Answer, 'promise'> | undefined;
  const promise = new Promise<string>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return {
    promise,
    resolve: (value) => settle?.resolve(value),
    reject: (error) => settle?.reject(error),
  };
}

test('of two readings begun in one moment the later question counts, whichever is answered last', async () => {
  const { read, asked } = start();
  const older = read('role');
  const newer = read('role', { fresh: true });
  asked[1]?.resolve('viewer');
  asked[0]?.resolve('admin');
  await Promise.all([older, newer]);

  expect((await read('role')).value).toBe('viewer');
  expect(asked).toHaveLength(2);
});

test('a fresh reading that fails leaves nothing older to be believed', async () => {
  const { read, asked } = start();
  const first = read('role');
  asked[0]?.resolve('admin');
  await first;
  const failing = read('role', { fresh: true });
  asked[1]?.reject(new Error('unreachable'));
  await expect(failing).rejects.toThrow('unreachable');

  const again = read('role');
  asked[2]?.resolve('viewer');

  expect((await again).value).toBe('viewer');
});
