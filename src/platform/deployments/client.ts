import { documentText, type Explain } from '../answer.ts';
import { PlatformError } from '../errors.ts';
import {
  pathOf,
  startDeadline,
  type CallOptions,
  type Credential,
  type Http,
  createOrgHttp,
  forbiddenHint,
  orgKeyHint,
  type OrgApiOptions,
} from '../http.ts';
import {
  DeploymentItem,
  isName,
  ListPage,
  toDeployment,
  workloadOfLinks,
  type Deployment,
  type DeploymentList,
  type ListedDeployment,
  type ScannedList,
} from './deployment.ts';
import { printOf } from './print.ts';

type ListItem =
  | { readonly is: 'listed'; readonly deployment: ListedDeployment }
  | { readonly is: 'unreadable'; readonly key: string }
  | { readonly is: 'unidentified' | 'nothing' };

type Members = Readonly<Record<string, unknown>>;

/**
 * Adds the items of one page to the list, and returns the link to the next one. `workload` is the owner of
 * items that do not name theirs.
 * @throws PlatformError `malformed` for anything but a page, or an unclear next link
 */
export function scanPage(
  answer: unknown,
  workload: string | undefined,
  into: ScannedList,
): string | undefined {
  const page = ListPage.safeParse(answer);
  if (!page.success) throw new PlatformError('malformed', 'the answer is not a list');
  for (const item of page.data.items ?? []) add(inspect(item, workload), into);
  return page.data.links?.find((link) => link.rel === 'next')?.href || undefined;
}

/** The list of items that are at hand. */
export function scanItems(items: readonly unknown[]): ScannedList {
  const list: ScannedList = { listed: [], unreadable: [], unidentified: 0 };
  scanPage({ items }, undefined, list);
  return list;
}

/** As `scanPage`, and reads each item. */
export function readPage(
  answer: unknown,
  workload: string | undefined,
  into: DeploymentList,
): string | undefined {
  const list: ScannedList = { listed: [], unreadable: into.unreadable, unidentified: 0 };
  const next = scanPage(answer, workload, list);
  for (const one of list.listed) into.deployments.push(one.read());
  into.unidentified += list.unidentified;
  return next;
}

/**
 * Reads an item only as far as needed. A bad item must not cost the list: it is set aside, by its name if it
 * has one.
 */
function inspect(item: unknown, fallback: string | undefined): ListItem {
  if (!isObject(item)) return { is: 'unidentified' };
  const location = item['name'];
  const workload = workloadOfLinks(item['links']) ?? fallback;
  if (!isName(location) || !isName(workload)) {
    // Real lists contain an occasional `{}`; it does not make the list doubtful.
    return { is: Object.keys(item).length > 0 ? 'unidentified' : 'nothing' };
  }
  const key = `${workload}/${location}`;
  const print = printOf(item);
  if (print === '' && !DeploymentItem.safeParse(item).success) return { is: 'unreadable', key };
  return { is: 'listed', deployment: new Listed(workload, location, print, item) };
}

function add(item: ListItem, to: ScannedList): void {
  if (item.is === 'listed') to.listed.push(item.deployment);
  else if (item.is === 'unreadable') to.unreadable.push(item.key);
  else if (item.is === 'unidentified') to.unidentified += 1;
}

/** A class, because ten thousand closures cost more than the rest of the scan. */
class Listed implements ListedDeployment {
  readonly key: string;
  readonly workload: string;
  readonly location: string;
  readonly print: string;
  private readonly item: Members;

  constructor(workload: string, location: string, print: string, item: Members) {
    this.key = `${workload}/${location}`;
    this.workload = workload;
    this.location = location;
    this.print = print;
    this.item = item;
  }

  read(): Deployment {
    return toDeployment(this.workload, DeploymentItem.parse(this.item));
  }
}

/** Excludes `[]`. */
function isObject(item: unknown): item is Members {
  return typeof item === 'object' && item !== null && !Array.isArray(item);
}

export interface DeploymentsClient {
  /** All pages (spec 4.4). @throws PlatformError */
  listGvc(org: string, gvc: string, options?: CallOptions): Promise<DeploymentList>;
  /** The same list for a poll, which reads only items whose print has changed. @throws PlatformError */
  scanGvc(org: string, gvc: string, options?: CallOptions): Promise<ScannedList>;
  /** Spec 4.4. @throws PlatformError */
  listWorkload(
    org: string,
    gvc: string,
    workload: string,
    options?: CallOptions,
  ): Promise<DeploymentList>;
  /** Spec 4.4. @throws PlatformError `not-found`, `malformed` */
  get(
    org: string,
    gvc: string,
    workload: string,
    location: string,
    options?: CallOptions,
  ): Promise<Deployment>;
  close(): Promise<void>;
}

export interface DeploymentsClientOptions extends OrgApiOptions {
  /** Milliseconds for all pages of one list (2 minutes); each page has its own deadline, too. */
  listMs?: number;
}

/** More pages of one list are a loop of links. */
const MAX_PAGES = 1_000;

const LIST_MS = 120_000;

export function createDeploymentsClient(options: DeploymentsClientOptions): DeploymentsClient {
  const { listMs = LIST_MS } = options;
  const http = createOrgHttp('deployments', options, explainDeployments);

  async function read<List>(
    scan: (answer: unknown, workload: string | undefined, into: List) => string | undefined,
    into: List,
    { org, path, workload }: { org: string; path: string; workload?: string },
    options: CallOptions,
  ): Promise<List> {
    await readPages(http.of(org), path, { ...options, listMs }, (page) =>
      scan(JSON.parse(documentText(page)), workload, into),
    );
    return into;
  }
  const newList = (): DeploymentList => ({ deployments: [], unreadable: [], unidentified: 0 });

  return {
    listGvc: async (org, gvc, options = {}) =>
      read(readPage, newList(), { org, path: gvcPath(org, gvc) }, options),
    scanGvc: async (org, gvc, options = {}) =>
      read(scanPage, scanItems([]), { org, path: gvcPath(org, gvc) }, options),
    listWorkload: async (org, gvc, workload, options = {}) =>
      read(
        readPage,
        newList(),
        { org, path: deploymentsPath(org, gvc, workload), workload },
        options,
      ),
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

/**
 * Follows all pages of a list, within `listMs` milliseconds. @param read returns the link to the next page
 */
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

/** Spec 4.4 and section 5. */
function explainDeployments(org: string, kind: Credential['kind']): Explain {
  return ({ status }) => {
    if (status === 401) return { hint: orgKeyHint(org, 'view on the workload') };
    return status === 403 ? { hint: forbiddenHint(kind) } : {};
  };
}
