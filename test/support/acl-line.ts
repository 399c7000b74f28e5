import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';

const PAGE = new URL('../../docs/operating.md', import.meta.url);
const PASSWORD = 'of-the-user';

/**
 * Makes the user that docs/operating.md has for Purser, with the additions for a cluster if `isCluster`, and clears the
 * log of refused commands.
 * @returns the user and the password, as REDIS_URL has them
 */
export async function makeDocumentedUser(
  admin: Redis,
  prefix: string,
  { isCluster = false, name = 'purser' } = {},
): Promise<string> {
  const page = readFileSync(PAGE, 'utf8');
  const [line = '', addition = ''] = page.match(/^ACL SETUSER purser .*$/gm) ?? [];
  const rules = line
    .replace('SETUSER purser', `SETUSER ${name}`)
    .replace('PASSWORD', PASSWORD)
    .replace('{purser}', `{${prefix}}`)
    .split(' ');
  await admin.call('ACL', ...rules.slice(1));
  if (isCluster) await admin.call('ACL', ...addition.split(' ').slice(1));
  await admin.call('ACL', 'LOG', 'RESET');
  return `${name}:${PASSWORD}`;
}

/** The commands and keys that Purser was refused since then. */
export async function refusedByAcl(admin: Redis): Promise<string[]> {
  const entries = (await admin.call('ACL', 'LOG')) as (string | number)[][];
  return entries
    .map((entry) => {
      const value = (name: string) => entry[entry.indexOf(name) + 1];
      return `${value('username')} ${value('reason')} ${value('object')}`;
    })
    .filter((line) => line.startsWith('purser '));
}
