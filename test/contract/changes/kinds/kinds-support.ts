import { createKinds, type ChangeInput } from '../../../../src/changes/kinds/kinds.ts';
import type { Reconciled } from '../../../../src/changes/kinds/kind.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { startBilling, type Identity, type LoggedCall } from '../../platform/billing/support.ts';
import { memoryIdentities } from '../../../support/identities.ts';

const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** The stand-in of the platform, and the kinds of changes as they work on it. */
export async function startKinds(identity: Identity = {}) {
  const standing = await startBilling();
  const client = standing.client(identity);
  const kindOf = createKinds('USD', standing.platform.clock, memoryIdentities());
  /** One order, with what is asked of it. */
  function order(asked: ChangeInput) {
    const kind = kindOf(asked);
    const look = () => kind.plan(client, asked);
    return {
      look,
      send: () => kind.send(client, asked),
      title: kind.title(asked),
      subjects: kind.subjects(asked),
      /** What is said of a call that is refused. */
      async refusal(): Promise<string | undefined> {
        const error: unknown = await kind.send(client, asked).catch((failure: unknown) => failure);
        if (error instanceof PlatformError) return kind.explain(asked, error);
        throw new Error('it was not refused');
      },
      /** What is settled when `between` happens instead of an answer. */
      async settled(between: () => Promise<unknown> = async () => undefined): Promise<Reconciled> {
        const { baseline } = await look();
        await between();
        return kind.reconcile(client, asked, { baseline, sentAt: standing.platform.clock.now() });
      },
    };
  }

  return {
    ...standing,
    client,
    order,
    /** The calls that change something, as they came. */
    writes: async (): Promise<LoggedCall[]> =>
      (await standing.calls()).filter(
        ({ method, path }) => method !== 'GET' && !path.endsWith('/-query'),
      ),
    /** The platform does what it is told, and its answer is lost. */
    losing: async (send: () => Promise<unknown>) => {
      await standing.fault(...WRITES.map((method) => ({ method, kind: 'truncate', times: 1 })));
      await send().catch(() => undefined);
      await standing.fault();
    },
  };
}

export type Harness = Awaited<ReturnType<typeof startKinds>>;

/** Facts as a person reads them. */
export function read(facts: readonly { name: string; text: string }[]): string[] {
  return facts.map(({ name, text }) => `${name}: ${text}`);
}
