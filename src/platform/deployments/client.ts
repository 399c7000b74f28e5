import { LRUCache } from 'lru-cache';
import { pathOf } from '../address.ts';
import type { OrgCredentials } from '../credential.ts';
import { documentText } from '../answer.ts';
import { startDeadline } from '../deadline.ts';
import { PlatformError } from '../errors.ts';
import type { CallOptions, Http, HttpLimits } from '../http.ts';
import { createOrgHttp } from '../org-http.ts';
import { toDeployment } from './deployment.ts';
import type { Deployment } from './deployment.ts';
import { explainDeployments } from './explain.ts';
import { readPage } from './list.ts';
import type { DeploymentList, SeenList } from './list.ts';
import type { Turns } from '../turns.ts';
import { createLooker } from './looker.ts';
import type { LastList } from './looker.ts';
import { DeploymentItem } from './schema.ts';

export type { DeploymentList, SeenDeployment, SeenList } from './list.ts';

export interface DeploymentsClient {
  /** Every deployment of a GVC, all pages (spec 4.4). @throws PlatformError */
  listGvc(org: string, gvc: string, options?: CallOptions): Promise<DeploymentList>;
  /** The same list for who looks often and reads only what is new (see `createLooker`). @throws PlatformError */
  seeGvc(org: string, gvc: string, options?: CallOptions): Promise<SeenList>;
  /** Deployments of one workload (spec 4.4). @throws PlatformError */
  listWorkload(
    org: string,
    gvc: string,
    workload: string,
    options?: CallOptions,
  ): Promise<DeploymentList>;
  /** One deployment by location name (spec 4.4). @throws PlatformError `not-found`, `malformed` */
  get(
    org: string,
    gvc: string,
    workload: string,
    location: string,
    options?: CallOptions,
  ): Promise<Deployment>;
  /** Ends the calls that still run and closes the connections. */
  close(): Promise<void>;
}

export interface DeploymentsDeps {
  apiUrl: string;
  credentialOf: OrgCredentials;
  limits?: Partial<HttpLimits>;
  turns?: Turns;
  /** Milliseconds for all pages of one list together (2 minutes); each page has its own deadline too. */
  listMs?: number;
  /** Bytes of lists that are kept for the next look at them (64 MB). */
  keptBytes?: number;
}

/** Pages of one list; more than this is a loop of links, not a GVC. */
const MAX_PAGES = 1_000;
const LIST_MS = 120_000;
/** About 25,000 deployments. */
const KEPT_BYTES = 64 * 1024 * 1024;
/** A list that nobody looks at any more makes room. */
const KEPT_MS = 3_600_000;

export function createDeploymentsClient(deps: DeploymentsDeps): DeploymentsClient {
  const http = createOrgHttp({
    baseUrl: deps.apiUrl,
    credentialOf: deps.credentialOf,
    explainFor: explainDeployments,
    limits: deps.limits,
    turns: deps.turns,
  });

  const listMs = deps.listMs ?? LIST_MS;
  const lists = createKept(deps.keptBytes ?? KEPT_BYTES);

  async function list(org: string, path: string, options: CallOptions, workload?: string) {
    const into: DeploymentList = { deployments: [], unreadable: [], unidentified: 0 };
    const read = (page: Buffer) => readPage(JSON.parse(documentText(page)), workload, into);
    await readPages(http.of(org), path, { ...options, listMs }, read);
    return into;
  }

  return {
    listGvc: async (org, gvc, options = {}) => list(org, gvcPath(org, gvc), options),
    async seeGvc(org, gvc, options = {}) {
      const path = gvcPath(org, gvc);
      const looker = createLooker(lists.get(path));
      await readPages(http.of(org), path, { ...options, listMs }, (page) => looker.see(page));
      lists.keep(path, looker.last());
      return looker.list;
    },
    listWorkload: async (org, gvc, workload, options = {}) =>
      list(org, deploymentsPath(org, gvc, workload), options, workload),
    async get(org, gvc, workload, location, options = {}) {
      const path = `${deploymentsPath(org, gvc, workload)}/${pathOf(location)}`;
      const item = DeploymentItem.safeParse(await http.of(org).getJson(path, options));
      if (!item.success) throw new PlatformError('malformed', 'the answer is not a deployment');
      return toDeployment(workload, item.data);
    },
    close: () => http.close(),
  };
}

/** Lists for the next look at them, as many as there is room for. */
function createKept(maxBytes: number) {
  const kept = new LRUCache<string, LastList>({ maxSize: maxBytes, ttl: KEPT_MS });
  return {
    get: (path: string): LastList | undefined => kept.get(path),
    /** The others stay: of lists that are looked at in turns, each would push out the next to come. */
    keep(path: string, list: LastList): void {
      kept.delete(path);
      kept.purgeStale();
      if (list.size === 0 || kept.calculatedSize + list.size > maxBytes) return;
      kept.set(path, list, { size: list.size });
    },
  };
}

function gvcPath(org: string, gvc: string): string {
  return pathOf('org', org, 'gvc', gvc, 'workload', '-deployment');
}

function deploymentsPath(org: string, gvc: string, workload: string): string {
  return pathOf('org', org, 'gvc', gvc, 'workload', workload, 'deployment');
}

/** Follows all pages of a list, within `listMs` milliseconds. @param read gives the link to the next page */
async function readPages(
  http: Http,
  path: string,
  options: CallOptions & { listMs: number },
  read: (page: Buffer) => string | undefined,
): Promise<void> {
  const seen = new Set<string>();
  const { signal, release } = startDeadline(options.listMs, options.signal);
  try {
    let address: string | undefined = http.resolve(path);
    while (address !== undefined) {
      if (seen.has(address) || seen.size >= MAX_PAGES) {
        throw new PlatformError('malformed', 'the pages of the list do not come to an end');
      }
      seen.add(address);
      const next: string | undefined = await http.getDocument(address, read, {
        ...options,
        signal,
      });
      address = next === undefined ? undefined : http.resolve(next, address);
    }
  } finally {
    release();
  }
}
