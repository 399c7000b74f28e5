import { LRUCache } from 'lru-cache';
import { HOUR_MS } from '../../lib/time.ts';
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
import { walkPage } from '../json-text.ts';
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
 * Reads one page into the list and returns the link to the next one. `workload` is the owner of items that do
 * not name theirs.
 * @throws PlatformError `malformed` for anything but a page, or an unclear next link
 */
export function readPage(
  answer: unknown,
  workload: string | undefined,
  into: DeploymentList,
): string | undefined {
  const list: ScannedList = { listed: [], unreadable: into.unreadable, unidentified: 0 };
  const page = pageOf(answer);
  for (const item of page.items ?? []) add(inspect(item, workload), list);
  for (const one of list.listed) into.deployments.push(one.read());
  into.unidentified += list.unidentified;
  return nextOf(page);
}

/** The list of items that are at hand. */
export function scanItems(items: readonly unknown[]): ScannedList {
  const list: ScannedList = { listed: [], unreadable: [], unidentified: 0 };
  for (const item of items) add(inspect(item, undefined), list);
  return list;
}

/** @throws PlatformError `malformed` */
export function pageOf(answer: unknown): ListPage {
  const page = ListPage.safeParse(answer);
  if (!page.success) throw new PlatformError('malformed', 'the answer is not a list');
  return page.data;
}

function nextOf(page: ListPage): string | undefined {
  return page.links?.find((link) => link.rel === 'next')?.href || undefined;
}

/**
 * Reads an item only as far as needed. A bad item must not cost the list: it is set aside, by its name if it
 * has one.
 * @param text of the item, which is parsed again when it is read
 */
function inspect(item: unknown, fallback: string | undefined, text?: Buffer): ListItem {
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
  return { is: 'listed', deployment: new Listed(workload, location, print, text ?? item) };
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
  private readonly item: Members | Buffer;

  constructor(workload: string, location: string, print: string, item: Members | Buffer) {
    this.key = `${workload}/${location}`;
    this.workload = workload;
    this.location = location;
    this.print = print;
    this.item = item;
  }

  read(): Deployment {
    const item: unknown = Buffer.isBuffer(this.item) ? JSON.parse(this.item.toString()) : this.item;
    return toDeployment(this.workload, DeploymentItem.parse(item));
  }
}

/** Excludes `[]`. */
function isObject(item: unknown): item is Members {
  return typeof item === 'object' && item !== null && !Array.isArray(item);
}

export interface ListTexts {
  readonly items: readonly ScannedItem[];
  /** Approximate bytes. */
  readonly size: number;
}

/** Bytes of an item besides its text. */
const OVERHEAD = 500;

interface ScannedItem {
  readonly text: Buffer;
  readonly item: ListItem;
}

interface ListScanner {
  readonly list: ScannedList;
  /**
   * @returns the link to the next page
   * @throws PlatformError `malformed` for anything but a page; SyntaxError
   */
  scan(page: Buffer): string | undefined;
  texts(): ListTexts;
}

/**
 * Scans a list whose items are parsed on demand. An item whose text equals that of the previous list, byte by
 * byte, is reused: most of a poll is unchanged, and parsing it would be nearly all of the cost.
 */
export function createListScanner(before: ListTexts = { items: [], size: 0 }): ListScanner {
  const list: ScannedList = { listed: [], unreadable: [], unidentified: 0 };
  const cursor = createCursor(before.items);
  const items: ScannedItem[] = [];
  let size = 0;
  return {
    list,
    scan(body) {
      const found: ScannedItem[] = [];
      const rest = undefinedIfOdd(() => walkPage(body, readerOf(body, cursor, found)));
      if (rest === undefined) return scanParsed(body, list);
      const next = nextOf(pageOf(rest));
      for (const item of found) {
        add(item.item, list);
        items.push(item);
        size += item.text.length + OVERHEAD;
      }
      return next;
    },
    texts: () => ({ items, size }),
  };
}

function scanParsed(body: Buffer, list: ScannedList): string | undefined {
  const page = pageOf(JSON.parse(documentText(body)));
  for (const item of page.items ?? []) add(inspect(item, undefined), list);
  return nextOf(page);
}

function undefinedIfOdd(walk: () => unknown): unknown {
  try {
    return walk();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function readerOf(body: Buffer, cursor: Cursor, found: ScannedItem[]) {
  let same: { item: ScannedItem; end: number } | undefined;
  return {
    endOf(start: number): number | undefined {
      const item = cursor.expected();
      if (item === undefined) return undefined;
      const { text } = item;
      const end = start + text.length;
      const isSame = end <= body.length && body.compare(text, 0, text.length, start, end) === 0;
      same = isSame ? { item, end } : undefined;
      return same?.end;
    },
    take({ start, end }: { start: number; end: number }): void {
      const item = same?.end === end ? same.item : itemOf(body.subarray(start, end));
      cursor.passed(item);
      found.push(item);
    },
  };
}

/** The text is copied into its own memory, which keeps neither the page nor its neighbours. */
function itemOf(span: Buffer): ScannedItem {
  const text = Buffer.allocUnsafeSlow(span.length);
  span.copy(text);
  return { text, item: inspect(JSON.parse(text.toString()), undefined, text) };
}

type Cursor = ReturnType<typeof createCursor>;

/** Predicts the next item: the successor, in the last list, of the current one. */
function createCursor(last: readonly ScannedItem[]) {
  let next = 0;
  let places: ReadonlyMap<string, number> | undefined;
  return {
    expected: (): ScannedItem | undefined => last[next],
    passed(item: ScannedItem): void {
      const name = nameOf(item);
      if (last[next] === item || nameOf(last[next]) === name) {
        next += 1;
        return;
      }
      places ??= new Map(last.map((one, place) => [nameOf(one), place]));
      next = (places.get(name) ?? next - 1) + 1;
    },
  };
}

/** Empty for items without identity, which are interchangeable. */
function nameOf(item: ScannedItem | undefined): string {
  if (item?.item.is === 'listed') return item.item.deployment.key;
  return item?.item.is === 'unreadable' ? item.item.key : '';
}

export interface DeploymentsClient {
  /** All pages (spec 4.4). @throws PlatformError */
  listGvc(org: string, gvc: string, options?: CallOptions): Promise<DeploymentList>;
  /**
   * The same list for a poll, which reads only changed items (see `createListScanner`). @throws PlatformError
   */
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
  /** Bytes of list texts kept for the next scan (64 MB). */
  keptBytes?: number;
}

/** More pages of one list are a loop of links. */
const MAX_PAGES = 1_000;

const LIST_MS = 120_000;

/** About 25,000 deployments. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** Lists that are no longer polled expire. */
const KEPT_MS = HOUR_MS;

export function createDeploymentsClient(options: DeploymentsClientOptions): DeploymentsClient {
  const { listMs = LIST_MS, keptBytes = KEPT_BYTES } = options;
  const http = createOrgHttp(options, explainDeployments);
  const lists = createListTexts(keptBytes);

  async function list(org: string, path: string, options: CallOptions, workload?: string) {
    const into: DeploymentList = { deployments: [], unreadable: [], unidentified: 0 };
    const read = (page: Buffer) => readPage(JSON.parse(documentText(page)), workload, into);
    await readPages(http.of(org), path, { ...options, listMs }, read);
    return into;
  }

  return {
    listGvc: async (org, gvc, options = {}) => list(org, gvcPath(org, gvc), options),
    async scanGvc(org, gvc, options = {}) {
      const path = gvcPath(org, gvc);
      const scanner = createListScanner(lists.get(path));
      await readPages(http.of(org), path, { ...options, listMs }, (page) => scanner.scan(page));
      lists.keep(path, scanner.texts());
      return scanner.list;
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

function createListTexts(maxBytes: number) {
  const kept = new LRUCache<string, ListTexts>({ maxSize: maxBytes, ttl: KEPT_MS });
  return {
    get: (path: string): ListTexts | undefined => kept.get(path),
    /** Does not evict others: with lists scanned in turn, each would evict the next one. */
    keep(path: string, list: ListTexts): void {
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
