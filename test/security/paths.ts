import { COVERAGE } from '../../src/sandbox/platform/coverage.ts';

interface Request {
  readonly method: string;
  readonly path: string;
  /** Of a call to a workload. */
  readonly host?: string;
}

/** The platform's routes; a name fills one segment, whatever it consists of. */
const ROUTES = COVERAGE.map(({ method, api, path }) => ({
  method,
  pattern: new RegExp(
    `^${api === 'deployments' ? '' : `/${api}`}${path.replaceAll(/[.*+?()[\]{}|]/g, '\\$&').replaceAll(/<\w+>/g, '([^/]+)')}$`,
  ),
}));
/** The bot's own requests. */
const QUERY = new Set(['end', 'start']);

/** Requests that the platform does not have: a name has led to another path, or has become a part of the query. */
export function strangePaths(requests: readonly Request[]): string[] {
  const isKnown = ({ method, path, host }: Request): boolean => {
    if (host !== undefined) return /^[a-z0-9-]+\.(?:gx\.)?apps\.localhost$/.test(host);
    const [place = '', query = ''] = path.split('?');
    // The doctor looks whether there is a server at all, and whether a path is there.
    if (method === 'GET' && path === '/') return true;
    return (
      [...new URLSearchParams(query).keys()].every((key) => QUERY.has(key)) &&
      ROUTES.some(
        (route) => ['GET', route.method].includes(method) && namesFit(route.pattern.exec(place)),
      )
    );
  };
  return requests
    .filter((one) => !isKnown(one))
    .map(({ method, host = '', path }) => `${method} ${host}${path}`);
}

function namesFit(found: RegExpExecArray | null): boolean {
  return (
    found !== null && found.slice(1).every((name) => !/^\.{1,2}$/.test(decodeURIComponent(name)))
  );
}
