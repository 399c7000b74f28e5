import { planNow } from '../../../../src/changes/context.ts';
import { createKinds, type ChangeInput } from '../../../../src/changes/kinds/kinds.ts';
import type { Obstacle, Reconciled } from '../../../../src/changes/kinds/kind.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { startBilling, type LoggedCall } from '../../platform/billing/support.ts';
import { memoryIdentities } from '../../../support/identities.ts';

const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** The stand-in of the platform, and the kinds of changes as they work on it. */
export async function startKinds() {
  const standing = await startBilling();
  const client = standing.client({});
  const { clock } = standing.platform;
  const kindOf = createKinds('USD', memoryIdentities());
  /** One order, with the operations of its kind. */
  function order(asked: ChangeInput) {
    const kind = kindOf(asked);
    /** The platform does it, and its answer is lost. */
    const lost = async () => {
      await standing.fault(...WRITES.map((method) => ({ method, kind: 'truncate', times: 1 })));
      await kind.send(client, asked).catch(() => undefined);
      await standing.fault();
    };
    const look = () => planNow({ kindOf, clock, billing: () => client }, asked);
    return {
      look,
      /** The consequences that only the review has. */
      further: async () =>
        kind.consequences(client, await kind.read(client, asked), asked, clock.now()),
      send: () => kind.send(client, asked),
      /** The explanation of a refused call. */
      async refusal(): Promise<Obstacle | undefined> {
        const error: unknown = await kind.send(client, asked).catch((failure: unknown) => failure);
        if (error instanceof PlatformError) return kind.explain(asked, error);
        throw new Error('it was not refused');
      },
      /** How it is settled without an answer; absent `between`: the platform did it. */
      async settled(between: () => Promise<unknown> = lost): Promise<Reconciled> {
        const { baseline } = await look();
        await between();
        return kind.settle(await kind.read(client, asked), asked, baseline);
      },
    };
  }

  return {
    ...standing,
    client,
    order,
    /** The calls that change something, as they came. */
    writes: async (): Promise<Pick<LoggedCall, 'method' | 'path' | 'body'>[]> =>
      (await standing.calls())
        .filter(({ method, path }) => method !== 'GET' && !path.endsWith('/-query'))
        .map(({ method, path, body }) => ({ method, path, body })),
  };
}

export type Harness = Awaited<ReturnType<typeof startKinds>>;

/** Facts as a person reads them. */
export function read(facts: readonly { name: string; text: string }[]): string[] {
  return facts.map(({ name, text }) => `${name}: ${text}`);
}
