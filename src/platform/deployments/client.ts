import type { Explain } from '../answer.ts';
import { PlatformError, undefinedIfUnavailable } from '../errors.ts';
import {
  pathOf,
  startDeadline,
  type CallOptions,
  type Credential,
  createOrgHttp,
  forbiddenHint,
  orgKeyHint,
  type OrgApiOptions,
} from '../http.ts';
import { followPages } from '../pages.ts';
import { isNothing, membersOf, objectOf, type Members } from '../json.ts';
import {
  isName,
  readDeployment,
  workloadOfLinks,
  type Deployment,
  type DeploymentList,
  type ListedDeployment,
  type ScannedList,
} from './deployment.ts';
import { printOf } from './print.ts';

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
  const { kind, items, links } = membersOf(answer);
  // Empty members are often omitted, so a declared list needs no items.
  const isPage = items !== undefined || kind === 'list';
  if (!isPage || !isList(items) || !isList(links)) throw notAList();
  for (const item of items ?? []) addItem(item, workload, into);
  const next = links?.find((link) => membersOf(link)['rel'] === 'next');
  const href = membersOf(next)['href'] ?? '';
  // If the link were overlooked, the rest of the list would look gone.
  if (typeof href !== 'string') throw notAList();
  return href || undefined;
}

function isList(value: unknown): value is unknown[] | null | undefined {
  return isNothing(value) || Array.isArray(value);
}

function notAList(): PlatformError {
  return new PlatformError('malformed', 'the answer is not a list');
}

/** The list of items that are at hand. */
export function scanItems(items: readonly unknown[]): ScannedList {
  const list: ScannedList = { listed: [], unreadable: [], unidentified: 0 };
  scanPage({ items }, undefined, list);
  return list;
}

export function readAll({ listed, ...unread }: ScannedList): DeploymentList {
  return { deployments: listed.map((one) => one.read()), ...unread };
}

/**
 * Reads an item only as far as needed. A bad item must not cost the list: it is set aside, by its name if it
 * has one.
 */
function addItem(said: unknown, fallback: string | undefined, to: ScannedList): void {
  const item = objectOf(said);
  const location = item?.['name'];
  const workload = workloadOfLinks(item?.['links']) ?? fallback;
  if (item === undefined || !isName(location) || !isName(workload)) {
    // Real lists contain an occasional `{}`; it does not make the list doubtful.
    if (item === undefined || Object.keys(item).length > 0) to.unidentified += 1;
    return;
  }
  const listed = new Listed(workload, location, printOf(item), item);
  if (listed.print !== '' || listed.isReadable()) to.listed.push(listed);
  else to.unreadable.push(listed.key);
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
    return readDeployment(this.workload, this.item);
  }

  isReadable(): boolean {
    try {
      this.read();
      return true;
    } catch (error) {
      return undefinedIfUnavailable(error) ?? false;
    }
  }
}

export type DeploymentsClient = ReturnType<typeof createDeploymentsClient>;

export interface DeploymentsClientOptions extends OrgApiOptions {
  /** Milliseconds for all pages of one list (2 minutes); each page has its own deadline, too. */
  listMs?: number;
}

const LIST_MS = 120_000;
const MAX_PAGES = 1_000;

/** Spec 4.4. Every failure is a PlatformError. */
export function createDeploymentsClient(options: DeploymentsClientOptions) {
  const { listMs = LIST_MS } = options;
  const http = createOrgHttp('deployments', options, explainDeployments);

  async function scan(
    org: string,
    path: string,
    options: CallOptions,
    workload?: string,
  ): Promise<ScannedList> {
    const ofOrg = http.of(org);
    const list = scanItems([]);
    const { signal, release } = startDeadline(listMs, options.signal);
    await followPages(ofOrg, path, MAX_PAGES, async (address) =>
      scanPage(await ofOrg.getJson(address, { ...options, signal }), workload, list),
    ).finally(release);
    return list;
  }
  const pathTo = (org: string, gvc: string, ...names: readonly string[]) =>
    pathOf('org', org, 'gvc', gvc, 'workload', ...names);
  /** For a poll, which reads only items whose print has changed. */
  const scanGvc = (org: string, gvc: string, options: CallOptions = {}) =>
    scan(org, pathTo(org, gvc, '-deployment'), options);

  return {
    scanGvc,
    listGvc: async (...asked: Parameters<typeof scanGvc>) => readAll(await scanGvc(...asked)),
    async listWorkload(org: string, gvc: string, workload: string, options: CallOptions = {}) {
      const path = pathTo(org, gvc, workload, 'deployment');
      return readAll(await scan(org, path, options, workload));
    },
    close: () => http.close(),
  };
}

/** Spec 4.4 and section 5. */
function explainDeployments(org: string, kind: Credential['kind']): Explain {
  return ({ status }) => {
    if (status === 401) return { hint: orgKeyHint(org, 'view on the workload') };
    return status === 403 ? { hint: forbiddenHint(kind) } : {};
  };
}
