import type { WebClient } from '@slack/web-api';
import type { Stopwatch } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import { createMemo } from '../lib/memo.ts';

/** The id of a user group that stands for one of these roles, the first of them first; undefined when there is none. */
export type GroupFor = (roles: readonly string[]) => Promise<string | undefined>;

/** Milliseconds. */
const REMEMBER_MS = 10 * 60_000;

/**
 * Finds user groups by their handles: the role, with `_` or `-`, one or many of them
 * (`billing_admin`, `billing-admins`). What Slack does not say is none, which is logged.
 */
export function createGroupFor(client: WebClient, stopwatch: Stopwatch, logger: Logger): GroupFor {
  const memo = createMemo<ReadonlyMap<string, string>>(stopwatch, REMEMBER_MS);
  return async (roles) => {
    try {
      const groups = await memo('', () => readGroups(client));
      return roles.map((role) => groups.get(wordOf(role))).find((id) => id !== undefined);
    } catch (error) {
      logger.warn({ err: error }, 'Slack does not say which user groups there are');
      return undefined;
    }
  };
}

/** Ids by what their handles stand for; a group that is disabled mentions nobody. */
async function readGroups(client: WebClient): Promise<ReadonlyMap<string, string>> {
  const { usergroups = [] } = await client.usergroups.list();
  const found = new Map<string, string>();
  for (const { id, handle, date_delete: disabled } of usergroups) {
    if (id === undefined || handle === undefined || (disabled ?? 0) > 0) continue;
    const word = wordOf(handle);
    if (!found.has(word)) found.set(word, id);
  }
  return found;
}

/** A role and every handle that means it have the same one. */
function wordOf(name: string): string {
  return name.toLowerCase().replaceAll('-', '_').replace(/s$/, '');
}
