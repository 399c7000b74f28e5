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

/** What an item of a list is, as far as it had to be read to know. */
type ListItem =
  | { readonly is: 'listed'; readonly deployment: ListedDeployment }
  | { readonly is: 'unreadable'; readonly key: string }
  | { readonly is: 'unidentified' | 'nothing' };

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads one page into the list and gives the link to the next one. `workload` is the owner of items
 * that do not name theirs.
 * @throws PlatformError `malformed` when it is no page, or does not say clearly whether it is the last
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

/** @throws PlatformError `malformed` */
export function pageOf(answer: unknown): ListPage {
  const page = ListPage.safeParse(answer);
  if (!page.success) throw new PlatformError('malformed', 'the answer is not a list');
  return page.data;
}

/** The link to the page after it. */
function nextOf(page: ListPage): string | undefined {
  return page.links?.find((link) => link.rel === 'next')?.href || undefined;
}

/**
 * Reads as much of an item as is needed. One bad item must not cost the list: it is set aside, by its name if it has one.
 * @param text of the item, from which it is read again when it is asked for
 */
function inspect(item: unknown, fallback: string | undefined, text?: Buffer): ListItem {
  if (!isObject(item)) return { is: 'unidentified' };
  const location = item['name'];
  const workload = workloadOfLinks(item['links']) ?? fallback;
  if (!isName(location) || !isName(workload)) {
    // Real lists hold the odd `{}`; it stands for nothing, so it casts no doubt on the list.
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

/** Not `[]`, which has no meaning here. */
function isObject(item: unknown): item is Members {
  return typeof item === 'object' && item !== null && !Array.isArray(item);
}

/** The texts of a list, which the next scan of the same GVC compares with. */
export interface ListTexts {
  /** In the order of the list. */
  readonly items: readonly ScannedItem[];
  /** Bytes of memory, roughly. */
  readonly size: number;
}

/** Bytes of an item beside its text. */
const OVERHEAD = 500;

interface ScannedItem {
  readonly text: Buffer;
  readonly item: ListItem;
}

/** Takes the pages of one list as they come. */
interface ListScanner {
  readonly list: ScannedList;
  /**
   * @returns the link to the next page
   * @throws PlatformError `malformed` when it is no page; SyntaxError
   */
  scan(page: Buffer): string | undefined;
  /** For the next scan. */
  texts(): ListTexts;
}

/**
 * Scans a list whose items are read when they are asked for. An item whose text equals that of the
 * list before, byte by byte, is the same object again: most of a poll is as it was, and parsing it
 * again would be nearly all of the cost.
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

/** For a text that the scan cannot split: JSON.parse decides. */
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

/** The text is a copy, and of its own memory: neither its page nor its neighbours are kept with it. */
function itemOf(span: Buffer): ScannedItem {
  const text = Buffer.allocUnsafeSlow(span.length);
  span.copy(text);
  return { text, item: inspect(JSON.parse(text.toString()), undefined, text) };
}

type Cursor = ReturnType<typeof createCursor>;

/** Which item of the last list is likely to come next: the one behind that which came last. */
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

/** Empty for items without identity; they are interchangeable. */
function nameOf(item: ScannedItem | undefined): string {
  if (item?.item.is === 'listed') return item.item.deployment.key;
  return item?.item.is === 'unreadable' ? item.item.key : '';
}

export interface DeploymentsClient {
  /** Every deployment of a GVC, all pages (spec 4.4). @throws PlatformError */
  listGvc(org: string, gvc: string, options?: CallOptions): Promise<DeploymentList>;
  /** The same list for a poll, which reads only what is new (see `createListScanner`). @throws PlatformError */
  scanGvc(org: string, gvc: string, options?: CallOptions): Promise<ScannedList>;
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

export interface DeploymentsClientOptions extends OrgApiOptions {
  /** Milliseconds for all pages of one list together (2 minutes); each page has its own deadline too. */
  listMs?: number;
  /** Bytes of list texts that are kept for the next scan (64 MB). */
  keptBytes?: number;
}

/** Pages of one list; more than this is a loop of links, not a GVC. */
const MAX_PAGES = 1_000;

const LIST_MS = 120_000;

/** About 25,000 deployments. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** A list that is no longer polled makes room. */
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

/** The texts of lists for the next scan, as many as there is room for. */
function createListTexts(maxBytes: number) {
  const kept = new LRUCache<string, ListTexts>({ maxSize: maxBytes, ttl: KEPT_MS });
  return {
    get: (path: string): ListTexts | undefined => kept.get(path),
    /** The others stay: of lists that are scanned one after another, each would push out the next one. */
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

/** What refusals of `{api_url}` mean beyond their status (spec 4.4 and section 5). */
function explainDeployments(org: string, kind: Credential['kind']): Explain {
  return ({ status }) => {
    if (status === 401) return { hint: orgKeyHint(org, 'view on the workload') };
    return status === 403 ? { hint: forbiddenHint(kind) } : {};
  };
}
