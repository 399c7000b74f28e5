import { LRUCache } from 'lru-cache';
import { pathOf } from '../address.ts';
import type { OrgCredentials } from '../credential.ts';
import { textOf } from '../answer.ts';
import { startDeadline } from '../deadline.ts';
import { PlatformError } from '../errors.ts';
import type { CallOptions, Http, HttpLimits } from '../http.ts';
import { createOrgHttp } from '../org-http.ts';
import { toDeployment } from './deployment.ts';
import type { Deployment } from './deployment.ts';
import { explainDeployments } from './explain.ts';
import { readPage } from './list.ts';
import type { DeploymentList, SeenList } from './list.ts';
import { createLooker } from './looker.ts';
import type { LastList } from './looker.ts';
import { DeploymentItem } from './schema.ts';

export type { DeploymentList, SeenDeployment, SeenList } from './list.ts';

export interface DeploymentsClient {
  /** Every deployment of a GVC, all pages (spec 4.4). @throws PlatformError */
  listGvc(org: string, gvc: string, options?: CallOptions): Promise<DeploymentList>;
  /** The same list for who looks often and reads what is new alone (see `createLooker`). @throws PlatformError */
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
  /** Milliseconds for all pages of one list together (2 minutes); each page has its own deadline too. */
  listMs?: number;
  /** Bytes of lists that are kept for the next look at them (64 MB). */
  keptBytes?: number;
}

/** Pages of one list; more than this is a loop of links, not a GVC. */
const MAX_PAGES = 1_000;
const LIST_MS = 120_000;
/** About 30,000 deployments. A list that is not kept is parsed as a whole. */
const KEPT_BYTES = 64 * 1024 * 1024;

export function createDeploymentsClient(deps: DeploymentsDeps): DeploymentsClient {
  const http = createOrgHttp({
    baseUrl: deps.apiUrl,
    credentialOf: deps.credentialOf,
    explainFor: explainDeployments,
    limits: deps.limits,
  });

  const listMs = deps.listMs ?? LIST_MS;
  const lists = new LRUCache<string, LastList>({ maxSize: deps.keptBytes ?? KEPT_BYTES });

  async function list(org: string, path: string, options: CallOptions, workload?: string) {
    const into: DeploymentList = { deployments: [], unreadable: [], unidentified: 0 };
    const read = (page: Buffer) => readPage(JSON.parse(textOf(page)), workload, into);
    await readPages(http.of(org), path, { ...options, listMs }, read);
    return into;
  }

  return {
    listGvc: async (org, gvc, options = {}) => list(org, gvcPath(org, gvc), options),
    async seeGvc(org, gvc, options = {}) {
      const path = gvcPath(org, gvc);
      const looker = createLooker(lists.get(path));
      await readPages(http.of(org), path, { ...options, listMs }, (page) => looker.see(page));
      const last = looker.last();
      if (last.size > 0) lists.set(path, last, { size: last.size });
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
