import { planNow } from '../../../../src/changes/context.ts';
import type { Facts, Planned, Reconciled } from '../../../../src/changes/kinds/kind.ts';
import { createKinds, type ChangeInput } from '../../../../src/changes/kinds/kinds.ts';
import type { BillingClient } from '../../../../src/platform/billing/client.ts';
import { memoryIdentities } from '../../../support/identities.ts';
import { NOW, platformOf, type PlatformData } from '../forms/harness.ts';

export const kindOf = createKinds('USD', memoryIdentities());

/** The plan of an input on an account. */
export function planOn(has: PlatformData, input: ChangeInput, now = NOW): Promise<Planned> {
  return planNow({ kindOf, billing: () => platformOf(has), clock: { now: () => now } }, input);
}

/** How a call without an answer is settled, by the account before it and after it. */
export async function settledOn(
  input: ChangeInput,
  before: PlatformData,
  after: PlatformData,
): Promise<Reconciled> {
  const { baseline } = await planOn(before, input);
  const kind = kindOf(input);
  return kind.settle(await kind.read(platformOf(after), input), input, baseline);
}

/** The answer of one call, as the kind understands it. */
export function sentTo(call: Partial<BillingClient>, input: ChangeInput) {
  return kindOf(input).send(call as BillingClient, input);
}

/** Facts as a person reads them. */
export function read(facts: Facts): string[] {
  return facts.map(({ name, text }) => `${name}: ${text}`);
}
