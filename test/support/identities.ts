import type { Identities, Pin } from '../../src/access/identities.ts';

/** Remembered accounts in memory: by address the Slack ids, or an entry that Purser did not write. */
export function memoryIdentities(
  known: Readonly<Record<string, readonly string[] | 'forged'>> = {},
): Identities {
  const pins = new Map(Object.entries(known).map(([email, ids]) => [email, pinOf(ids)]));
  return {
    pinOf: async (email) => pins.get(email.toLowerCase()),
    async admit(address, userId) {
      const email = address.toLowerCase();
      const pin = pins.get(email) ?? pinOf([userId]);
      pins.set(email, pin);
      return pin.ids.includes(userId) ? undefined : pin;
    },
    async add(address, userId) {
      const email = address.toLowerCase();
      pins.set(email, pinOf([...new Set([...(pins.get(email)?.ids ?? []), userId])]));
    },
    list: async () => pins,
    async release(email) {
      const pin = pins.get(email);
      pins.delete(email);
      return pin;
    },
  };
}

function pinOf(ids: readonly string[] | 'forged'): Pin {
  return ids === 'forged' ? { ids: [], isGenuine: false } : { ids, isGenuine: true };
}
