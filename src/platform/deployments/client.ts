import { PlatformError } from '../errors.ts';
import { createHttp } from '../http.ts';
import type { HttpLimits } from '../http.ts';
import { toDeployment, workloadOfLinks } from './deployment.ts';
import type { Deployment } from './deployment.ts';
import { DeploymentItem, ItemIdentity, ListPage } from './schema.ts';

/** A list as far as it could be read. */
export interface DeploymentList {
  deployments: Deployment[];
  /** `workload/location` of items that are there but could not be read: present, state unknown. */
  unreadable: string[];
  /** Items that could not even be told apart; with any, the list does not prove that a record is gone. */
  unidentified: number;
}

export interface DeploymentsClient {
  /** Every deployment of a GVC, all pages (spec 4.4). @throws PlatformError */
  listGvc(org: string, gvc: string, options?: CallOptions): Promise<DeploymentList>;
  /** Deployments of one workload (spec 4.4). @throws PlatformError */
  listWorkload(
    org: string,
    gvc: string,
    workload: string,
    options?: CallOptions,
  ): Promise<DeploymentList>;
  /** One deployment by location name (spec 4.4). @throws PlatformError `not-found`, `malformed` */
  get(org: string, gvc: string, workload: string, location: string): Promise<Deployment>;
  close(): Promise<void>;
}

export interface CallOptions {
  /** 1 = no repetition, for callers that come again anyway. */
  attempts?: number;
  signal?: AbortSignal;
}

export interface DeploymentsDeps {
  apiUrl: string;
  /** Service account key of an org, undefined when none is configured. */
  tokenOf: (org: string) => string | undefined;
  limits?: Partial<HttpLimits>;
}

/** Pages of one list; more than this is a loop of links, not a GVC. */
const MAX_PAGES = 1_000;

export function createDeploymentsClient(deps: DeploymentsDeps): DeploymentsClient {
  const clients = new Map<string, ReturnType<typeof createHttp>>();

  function httpOf(org: string): ReturnType<typeof createHttp> {
    const known = clients.get(org);
    if (known) return known;
    const token = deps.tokenOf(org);
    if (token === undefined) {
      throw new PlatformError(
        'unauthorized',
        `no service account key is configured for org ${org}`,
      );
    }
    const http = createHttp({
      baseUrl: deps.apiUrl,
      authorization: () => `Bearer ${token}`,
      ...(deps.limits ? { limits: deps.limits } : {}),
    });
    clients.set(org, http);
    return http;
  }

  async function list(
    org: string,
    first: string,
    workload: string | undefined,
    options: CallOptions,
  ): Promise<DeploymentList> {
    const result: DeploymentList = { deployments: [], unreadable: [], unidentified: 0 };
    const seen = new Set<string>();
    let path: string | undefined = first;
    while (path !== undefined) {
      if (seen.has(path) || seen.size >= MAX_PAGES) {
        throw new PlatformError('malformed', 'the pages of the list do not come to an end');
      }
      seen.add(path);
      const page = ListPage.safeParse(await httpOf(org).getJson(path, options));
      if (!page.success) throw new PlatformError('malformed', 'the answer is not a list');
      for (const item of page.data.items) readItem(item, workload, result);
      path = nextPath(page.data.links, path);
    }
    return result;
  }

  return {
    listGvc: (org, gvc, options = {}) =>
      list(org, `${gvcPath(org, gvc)}/workload/-deployment`, undefined, options),
    listWorkload: (org, gvc, workload, options = {}) =>
      list(org, `${workloadPath(org, gvc, workload)}/deployment`, workload, options),
    async get(org, gvc, workload, location) {
      const path = `${workloadPath(org, gvc, workload)}/deployment/${encodeURIComponent(location)}`;
      const item = DeploymentItem.safeParse(await httpOf(org).getJson(path));
      if (!item.success) throw new PlatformError('malformed', 'the answer is not a deployment');
      return toDeployment(workload, item.data);
    },
    close: async () => {
      await Promise.all([...clients.values()].map((http) => http.close()));
    },
  };
}

function gvcPath(org: string, gvc: string): string {
  return `/org/${encodeURIComponent(org)}/gvc/${encodeURIComponent(gvc)}`;
}

function workloadPath(org: string, gvc: string, workload: string): string {
  return `${gvcPath(org, gvc)}/workload/${encodeURIComponent(workload)}`;
}

/** The next page; a bare query is meant against the page it came with. */
function nextPath(
  links: readonly { rel: string; href: string }[] | null | undefined,
  current: string,
): string | undefined {
  const href = links?.find((link) => link.rel === 'next')?.href;
  if (href === undefined || href === '') return undefined;
  return href.startsWith('?') ? `${current.split('?')[0]}${href}` : href;
}

/** One bad item must not cost the list: it is put aside and named where it says who it is. */
function readItem(item: unknown, workload: string | undefined, into: DeploymentList): void {
  // Real lists hold the odd `{}`; it stands for nothing, so it casts no doubt on the list.
  if (typeof item === 'object' && item !== null && Object.keys(item).length === 0) return;
  const identity = ItemIdentity.safeParse(item);
  const owner = identity.success ? (workloadOfLinks(identity.data.links) ?? workload) : undefined;
  if (!identity.success || owner === undefined) {
    into.unidentified += 1;
    return;
  }
  const parsed = DeploymentItem.safeParse(item);
  if (parsed.success) into.deployments.push(toDeployment(owner, parsed.data));
  else into.unreadable.push(`${owner}/${identity.data.name}`);
}
