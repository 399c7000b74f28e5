import { describe, expect, it } from 'vitest';
import type { Change } from '../../../src/changes/change.ts';
import type { ChangeContext } from '../../../src/changes/context.ts';
import { createExecutor } from '../../../src/changes/execute.ts';
import type { ChangeInput, InputOf } from '../../../src/changes/kinds/kinds.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { REQUESTED_AT } from '../../support/changes.ts';
import { approved, fakeContext } from './fake-context.ts';

const SECOND = 1_000;
const LOST = new PlatformError('timeout', 'no answer');
const CLAIMED = { ...approved(), state: 'executing', sendings: 1, marks: {} } as const;

const alertTo = (amount: number): ChangeInput => ({ kind: 'alert.replace', amount, enabled: true });
const planOf = (before: number, after: number): Change['plan'] => ({
  before: [{ name: 'Amount', text: `${before}` }],
  after: [{ name: 'Amount', text: `${after}` }],
  consequences: [],
});

/** One lock for each name, as Redis has them. */
function createAlone(): ChangeContext['withLock'] {
  const taken = new Set<string>();
  return async (id, work) => {
    if (taken.has(id)) return undefined;
    taken.add(id);
    try {
      return await work(() => true);
    } finally {
      taken.delete(id);
    }
  };
}

/** An alert of 400, and approved changes to other amounts: their ids are `to-<amount>`. */
async function alertOffice(...wanted: readonly number[]) {
  const fake = {
    ...fakeContext({ withLock: createAlone() }),
    amount: 400,
    answers: async () => {},
  };
  const kindOf: ChangeContext['kindOf'] = (order) => {
    const { amount } = order as InputOf<'alert.replace'>;
    return {
      ...fake.kind,
      repeatable: true,
      plan: () => ({
        plan: planOf(fake.amount, amount),
        now: [{ name: 'Amount', text: `${fake.amount}` }],
        baseline: {},
      }),
      async send() {
        fake.calls.push(`to ${amount}`);
        await fake.answers();
        fake.amount = amount;
        return {};
      },
      settle: () => ({ kind: fake.amount === amount ? 'done' : 'not done' }),
    };
  };
  const context = { ...fake.context, kindOf };
  const executor = createExecutor(context);
  const file = (amount: number, more: Partial<Change> = {}) =>
    fake.file({
      ...approved(),
      id: `to-${amount}`,
      order: alertTo(amount),
      plan: planOf(400, amount),
      ...more,
    });
  for (const amount of wanted) await file(amount);
  return {
    fake,
    context,
    file,
    advance: (amount: number) => executor.advance(`to-${amount}`),
    changeTo: (amount: number) => fake.changes.get(`to-${amount}`),
    stateOf: async (amount: number) => (await fake.changes.get(`to-${amount}`))?.state,
  };
}

/** A call that a person is still waiting for. */
function hanging() {
  let end = (): void => undefined;
  const answers = new Promise<void>((resolve) => {
    end = resolve;
  });
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const answer = (): Promise<void> => {
    begin();
    return answers;
  };
  return { answer, begun, end };
}

describe('two approved changes of one thing', () => {
  it('at the same moment: the second sees the effect of the first, and is not sent', async () => {
    const { fake, advance, stateOf } = await alertOffice(500, 600);
    await Promise.all([advance(500), advance(600)]);
    fake.clock.at += 2 * SECOND;
    await Promise.all([advance(500), advance(600)]);

    await expect(Promise.all([stateOf(500), stateOf(600)])).resolves.toEqual([
      'succeeded',
      'drifted',
    ]);
    expect(fake.calls).toEqual(['to 500']);
  });

  it('while the call of the first is under way, the second waits', async () => {
    const { fake, advance, changeTo, stateOf } = await alertOffice(500, 600);
    const { answer, begun, end } = hanging();
    fake.answers = answer;
    const first = advance(500);
    await begun;
    for (let passed = 0; passed < 10; passed += 1) {
      await advance(600);
      await expect(changeTo(600)).resolves.toMatchObject({
        state: 'approved',
        retryAt: fake.clock.at + 2 * SECOND,
      });
      fake.clock.at += 60 * SECOND;
    }
    end();
    await first;
    await advance(600);

    expect([await stateOf(500), await stateOf(600)]).toEqual(['succeeded', 'drifted']);
    expect(fake.calls).toEqual(['to 500']);
  });

  it('after a crash of the first the second waits until that is settled, and is carried out if nothing was done', async () => {
    const { fake, file, advance, stateOf } = await alertOffice(600);
    await file(500, { ...CLAIMED, sendings: 3, sentAt: REQUESTED_AT });
    await advance(600);
    fake.clock.at += 90 * SECOND - 1;
    await advance(600);

    await expect(stateOf(600)).resolves.toBe('approved');

    fake.clock.at += 2 * SECOND;
    await advance(500);
    await advance(600);

    expect([await stateOf(500), await stateOf(600)]).toEqual(['failed', 'succeeded']);
    expect(fake.calls).toEqual(['to 600']);
  });

  it('that were both sent do not wait for each other for ever', async () => {
    const { fake, file, advance, stateOf } = await alertOffice();
    const retryAt = REQUESTED_AT;
    await file(600, { ...CLAIMED, sentAt: REQUESTED_AT - 1, retryAt });
    await file(500, { ...CLAIMED, sentAt: REQUESTED_AT, retryAt });
    await advance(500);

    await expect(stateOf(500)).resolves.toBe('executing');
    expect(fake.calls).toEqual([]);

    await advance(600);

    await expect(stateOf(600)).resolves.toBe('succeeded');
    expect(fake.calls).toEqual(['to 600']);
  });

  it('is not sent again either while another is being carried out', async () => {
    const { fake, file, advance, changeTo } = await alertOffice();
    await file(500, { ...CLAIMED, sentAt: REQUESTED_AT });
    await file(600, { ...CLAIMED, sentAt: REQUESTED_AT, retryAt: REQUESTED_AT });
    await advance(600);

    await expect(changeTo(600)).resolves.toMatchObject({
      state: 'executing',
      sendings: 1,
      retryAt: REQUESTED_AT + 2 * SECOND,
    });
    expect(fake.calls).toEqual([]);

    fake.clock.at += 90 * SECOND;
    await advance(500);
    await advance(600);

    expect(fake.calls).toEqual(['to 500']);
    await expect(changeTo(600)).resolves.toMatchObject({ state: 'failed' });
  });
});

describe('changes of different things', () => {
  it('do not wait for each other', async () => {
    const { fake, file, advance, stateOf } = await alertOffice(500);
    await file(7, {
      ...CLAIMED,
      order: { kind: 'user.remove', email: 'cy@acme.example' },
      sentAt: REQUESTED_AT,
    });
    await file(600, { order: { ...alertTo(600) }, state: 'succeeded' });
    await advance(500);

    await expect(stateOf(500)).resolves.toBe('succeeded');
    expect(fake.calls).toEqual(['to 500']);
  });

  it('do not wait for a quota request without an answer, for another quota', async () => {
    const { file, advance, stateOf } = await alertOffice();
    const quota = (quotaName: string, requestedMax: number) =>
      ({ kind: 'quota.request', org: 'acme', quotaName, requestedMax }) as const;
    await file(7, { ...CLAIMED, order: quota('cpu', 7), sentAt: REQUESTED_AT });
    await file(500, { order: quota('cpu', 500) });
    await file(600, { order: quota('memory', 600) });
    await advance(500);
    await advance(600);

    // It was its turn, and the check before the call found another plan.
    expect([await stateOf(500), await stateOf(600)]).toEqual(['approved', 'drifted']);
  });
});

describe('anyone who loses the turn before the call', () => {
  it.each(['place/alert', 'to-500'])('or the change sends nothing: %s', async (lost) => {
    const { fake, context, stateOf } = await alertOffice(500);
    const alone: ChangeContext['withLock'] = (id, work) => work(() => id !== lost);
    await createExecutor({ ...context, withLock: alone }).advance('to-500');

    expect(fake.calls).toEqual([]);
    await expect(stateOf(500)).resolves.toBe('approved');
  });

  it('has it again after a call that was lost', async () => {
    const { fake, advance, stateOf } = await alertOffice(500);
    const { answers } = fake;
    fake.answers = async () => {
      throw LOST;
    };
    await advance(500);
    fake.answers = answers;
    fake.clock.at += 10 * SECOND;
    await advance(500);

    await expect(stateOf(500)).resolves.toBe('succeeded');
    expect(fake.calls).toEqual(['to 500', 'to 500']);
  });
});
