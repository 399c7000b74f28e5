import { PlatformError } from './errors.ts';
import type { Http } from './http.ts';

/**
 * Reads the pages of a list, one after the other.
 * @param maxPages more pages are a loop of links
 * @param read reads the page at an address, and returns its link to the next one
 * @throws PlatformError `malformed` for pages without an end
 */
export async function followPages(
  http: Pick<Http, 'resolve'>,
  path: string,
  maxPages: number,
  read: (address: string) => Promise<string | undefined>,
): Promise<void> {
  const seen = new Set<string>();
  let address: string | undefined = http.resolve(path);
  while (address !== undefined) {
    if (seen.has(address) || seen.size >= maxPages) {
      throw new PlatformError('malformed', 'the pages of the list do not come to an end');
    }
    seen.add(address);
    const next: string | undefined = await read(address);
    address = next === undefined ? undefined : http.resolve(next, address);
  }
}
