import * as fc from '../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import type { Change } from '../../../src/changes/change.ts';
import { createExecutor } from '../../../src/changes/execute.ts';
import type { Sent, Reconciled } from '../../../src/changes/kinds/kind.ts';
import type { ChangeContext } from '../../../src/changes/context.ts';
import { createSecretReveal, type Taken } from '../../../src/changes/reveal.ts';
import { Refusal } from '../../../src/lib/errors.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { ADA, approved, fakeContext, TOKEN } from './fake-context.ts';

const ID = 'k3m9x2ab';
/** The effect of one call on the platform, and the answer that arrives. */
const FATES = ['fine', 'lost after', 'lost before', 'broken', 'refused'] as const;
type Fate = (typeof FATES)[number];

class Crash extends Error {}

/** Every await of the fake: the process ends before or after it, when its number comes up. */
function withCrashes(context: ChangeContext, crashAt: () => boolean): ChangeContext {
  const risky =
    <A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      if (crashAt()) throw new Crash('before');
      const result = await work(...args);
      if (crashAt()) throw new Crash('after');
      return result;
    };
  const { access, changes, jobs } = context;
  return {
    ...context,
    access: { principal: risky((...args) => access.principal(...args)) },
    jobs: { add: risky((...args) => jobs.add(...args)) },
    changes: {
      ...changes,
      get: risky((id) => changes.get(id)),
      move: risky((...args) => changes.move(...args)),
      takeSecret: risky((id) => changes.takeSecret(id)),
    },
  };
}

/** A platform that has tokens, or not. */
function platformOf(fates: readonly Fate[]) {
  const tokens = new Set<string>();
  let calls = 0;
  let created = 0;
  return {
    tokens,
    sends: () => calls,
    async send(): Promise<Sent> {
      const fate = fates[calls] ?? 'fine';
      calls += 1;
      if (fate === 'lost before') throw new PlatformError('unreachable', 'gone');
      if (fate === 'refused') throw new PlatformError('bad-request', 'no', { status: 400 });
      if (fate === 'broken') throw new PlatformError('server-error', 'oh', { status: 500 });
      created += 1;
      const tokenId = `t${created}`;
      tokens.add(tokenId);
      if (fate === 'lost after') throw new PlatformError('timeout', 'silence');
      return { secret: { value: new Secret(`secret of ${tokenId}`), what: 'token', tokenId } };
    },
    settle(): Reconciled {
      const tokenIds = [...tokens];
      if (tokenIds.length === 0) return { kind: 'not done' };
      return { kind: 'secret lost', what: 'token', tokenIds };
    },
    async removeToken(tokenId: string): Promise<void> {
      if (!tokens.delete(tokenId)) throw new PlatformError('not-found', 'gone', { status: 404 });
    },
  };
}

/** An approved token is brought to its end by workers that crash; Ada clicks on Reveal, if at all, in between. */
async function story(crashes: readonly number[], fates: readonly Fate[], clicksAt: number) {
  const fake = fakeContext();
  const platform = platformOf(fates);
  fake.repeatable = false;
  fake.send = () => platform.send();
  fake.settle = () => platform.settle();
  fake.removeToken = (id) => platform.removeToken(id);
  await fake.file({ ...approved(), order: TOKEN });

  let step = 0;
  const deps = withCrashes(fake.context, () => crashes.includes((step += 1)));
  const survive = async <T>(work: Promise<T>): Promise<T | undefined> =>
    work.catch((error: unknown) => {
      if (error instanceof Crash || error instanceof Refusal) return undefined;
      throw error;
    });
  const seen: string[] = [];
  for (let turn = 0; turn < 40; turn += 1) {
    // Two at once, as if the lock did not hold.
    const executor = createExecutor(deps);
    await Promise.all([survive(executor.advance(ID)), survive(executor.advance(ID))]);
    if (turn === clicksAt) {
      const taken: Taken | undefined = await survive(createSecretReveal(deps).take(ADA, ID));
      if (taken !== undefined) {
        seen.push(taken.secret.reveal());
        await survive(taken.shown());
      }
    }
    fake.clock.at += 60_000;
  }
  return { change: await fake.now(), sends: platform.sends(), tokens: platform.tokens, seen };
}

function isAtRest({ state, secret }: Change): boolean {
  if (state !== 'succeeded') return state === 'failed';
  return secret?.state === 'revealed' || secret?.cleaned !== undefined;
}

describe('a token and crashes at every await', () => {
  it('comes to one end: seen by Ada and present, or unseen and deleted', async () => {
    const step = fc.integer({ min: 1, max: 60 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 6 }),
        fc.array(fc.constantFrom(...FATES), { maxLength: 1 }),
        fc.integer({ min: 0, max: 20 }),
        async (crashes, fates, clicksAt) => {
          const { change, sends, tokens, seen } = await story(crashes, fates, clicksAt);
          const isRevealed = change.secret?.state === 'revealed';

          expect(isAtRest(change)).toBe(true);
          expect(sends).toBeLessThanOrEqual(1);
          expect([...tokens]).toEqual(isRevealed ? ['t1'] : []);
          expect(seen.length).toBeGreaterThanOrEqual(isRevealed ? 1 : 0);
        },
      ),
      { numRuns: 500 },
    );
  });
});
