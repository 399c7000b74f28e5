import type { Kept, Shelf } from '../../src/slack/replies/shelf.ts';
import type { Answer } from '../../src/slack/routing/routes.ts';

/** Shelves that only remember; `canKeep` false: they have lost their Redis. */
export function keptHere(canKeep: () => boolean = () => true): Kept & { forget(): void } {
  const all = new Map<string, string>();
  const shelf = <Value>(name: string): Shelf<Value> => ({
    put(userId, value, { id = `${name}-${all.size}` } = {}) {
      if (!canKeep()) return Promise.resolve(undefined);
      all.set(`${userId} ${id}`, JSON.stringify(value));
      return Promise.resolve(id);
    },
    get(userId, id) {
      const text = all.get(`${userId} ${id}`);
      return Promise.resolve(text === undefined ? undefined : (JSON.parse(text) as Value));
    },
    claim: () => Promise.resolve(true),
  });
  return { answers: shelf<Answer>('answer'), forms: shelf('form'), forget: () => all.clear() };
}
