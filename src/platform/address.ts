import { PlatformError } from './errors.ts';

/**
 * Joins names to a path below the base address. Each stays one segment, whatever is in it.
 * @throws PlatformError `bad-request` for a name that no encoding keeps in its place
 */
export function pathOf(...names: string[]): string {
  return names.map(segmentOf).join('/');
}

function segmentOf(name: string): string {
  // Dots are taken for steps through the path even when they are encoded.
  if (name === '' || name === '.' || name === '..' || /\p{Surrogate}/u.test(name)) {
    throw new PlatformError('bad-request', `${JSON.stringify(name)} is not a name`);
  }
  return encodeURIComponent(name);
}

/**
 * Where a link leads that was found at `from`. Links in answers are foreign text: they must stay on
 * the base's origin. A rooted one may or may not repeat the path of the base; both occur.
 * @throws PlatformError `redirected` for another origin or for what is no address at all
 */
export function resolveOnOrigin(base: URL, link: string, from: URL = base): URL {
  const prefix = base.pathname.replace(/\/$/, '');
  const rooted = link.startsWith('/') && !link.startsWith('//');
  const target = rooted && !link.startsWith(`${prefix}/`) ? `${prefix}${link}` : link;
  const url = URL.canParse(target, from.href) ? new URL(target, from) : undefined;
  // Not `origin`: a blob: address has the origin of the address inside of it.
  if (url?.protocol !== base.protocol || url.host !== base.host) {
    throw new PlatformError('redirected', `a link leads away from ${base.origin}`);
  }
  return url;
}
