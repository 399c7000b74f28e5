import { pathOf } from '../address.ts';
import type { OrgCredentials } from '../credential.ts';
import { startDeadline } from '../deadline.ts';
import { PlatformError } from '../errors.ts';
import type { CallOptions, Http, HttpLimits } from '../http.ts';
import { createOrgHttp } from '../org-http.ts';
import { toDeployment } from './deployment.ts';
import type { Deployment } from './deployment.ts';
import { explainDeployments } from './explain.ts';
import { readPage, seePage } from './list.ts';
import type { DeploymentList, SeenList } from './list.ts';
import { DeploymentItem } from './schema.ts';

export type { DeploymentList, SeenDeployment, SeenList } from './list.ts';

export interface DeploymentsClient {
  /** Every deployment of a GVC, all pages (spec 4.4). @throws PlatformError */
  listGvc(org: string, gvc: string, options?: CallOptions): Promise<DeploymentList>;
  /** The same list for who looks often and reads what is new alone. @throws PlatformError */
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
}

/** Pages of one list; more than this is a loop of links, not a GVC. */
const MAX_PAGES = 1_000;
const LIST_MS = 120_000;

export function createDeploymentsClient(deps: DeploymentsDeps): DeploymentsClient {
  const http = createOrgHttp({
    baseUrl: deps.apiUrl,
    credentialOf: deps.credentialOf,
    explainFor: explainDeployments,
    limits: deps.limits,
  });

  const listMs = deps.listMs ?? LIST_MS;

  async function list(org: string, path: string, options: CallOptions, workload?: string) {
    const into: DeploymentList = { deployments: [], unreadable: [], unidentified: 0 };
    const read = (page: unknown) => readPage(page, workload, into);
    await readPages(http.of(org), path, { ...options, listMs }, read);
    return into;
  }

  return {
    listGvc: async (org, gvc, options = {}) => list(org, gvcPath(org, gvc), options),
    async seeGvc(org, gvc, options = {}) {
      const into: SeenList = { seen: [], unreadable: [], unidentified: 0 };
      const see = (page: unknown) => seePage(page, undefined, into);
      await readPages(http.of(org), gvcPath(org, gvc), { ...options, listMs }, see);
      return into;
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
  read: (page: unknown) => string | undefined,
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
      const next = read(await http.getJson(address, { ...options, signal }));
      address = next === undefined ? undefined : http.resolve(next, address);
    }
  } finally {
    release();
  }
}
