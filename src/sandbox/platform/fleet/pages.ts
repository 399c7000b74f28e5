import type { SandboxClock } from '../clock.ts';
import type { Gvc, LocationRecord, Workload } from '../deployments/model.ts';
import { observe } from '../deployments/observe.ts';
import { renderDeployment } from '../deployments/render.ts';
import type { Random } from '../../random.ts';
import type { Fleet } from './fleet.ts';

const ORG = 'fleet';
const SYNC_DIGITS = 16;
const ISO_LENGTH = 24;

/** A rendered deployment, and where in it the bytes are that differ in every answer. */
interface Item {
  readonly bytes: Buffer;
  readonly modifiedAt: number;
  readonly syncAt: number;
}

interface Page {
  readonly bytes: Buffer;
  readonly modifiedAt: readonly number[];
  readonly syncAt: readonly number[];
}

/**
 * The lists of the fleet, kept as bytes. As with the true platform no two answers are equal: report
 * times and bookkeeping move on in place, which costs a millisecond for 10,000 deployments.
 */
export function createFleetPages(deps: { fleet: Fleet; clock: SandboxClock; random: Random }) {
  const { fleet, clock, random } = deps;
  const items = new Map<LocationRecord, Item>();
  const pages = new Map<Gvc, Page>();

  fleet.onChange(({ gvc, workload }) => {
    pages.delete(gvc);
    for (const record of workload.records.values()) items.delete(record);
  });

  const itemOf = (gvc: Gvc, workload: Workload, record: LocationRecord): Item => {
    const known = items.get(record);
    if (known !== undefined) return known;
    const observation = observe(workload, record, clock.now(), 1);
    const rendered = renderDeployment({ org: ORG, gvc, workload, record, observation }, '', random);
    const bytes = Buffer.from(JSON.stringify(rendered));
    const item = {
      bytes,
      modifiedAt: after(bytes, '"lastModified":"'),
      syncAt: after(bytes, '"syncId":"'),
    };
    items.set(record, item);
    return item;
  };

  const pageOf = (gvc: Gvc, wanted?: Workload): Page =>
    join(
      fleet
        .recordsOf(gvc)
        .filter(({ workload }) => wanted === undefined || workload === wanted)
        .map(({ workload, record }) => itemOf(gvc, workload, record)),
    );

  const refresh = ({ bytes, modifiedAt, syncAt }: Page): Buffer => {
    const now = new Date(clock.now()).toISOString();
    for (const at of modifiedAt) bytes.write(now, at, ISO_LENGTH, 'latin1');
    const sync = random.hex(SYNC_DIGITS);
    for (const at of syncAt) bytes.write(sync, at, SYNC_DIGITS, 'latin1');
    return bytes;
  };

  return {
    /** The bytes belong to the next answer too: they are to be sent at once, not kept. */
    list(gvc: Gvc): Buffer {
      const page = pages.get(gvc) ?? pageOf(gvc);
      pages.set(gvc, page);
      return refresh(page);
    },
    workload: (gvc: Gvc, workload: Workload): Buffer => refresh(pageOf(gvc, workload)),
    one: (gvc: Gvc, workload: Workload, record: LocationRecord): Buffer =>
      itemOf(gvc, workload, record).bytes,
  };
}

function after(bytes: Buffer, mark: string): number {
  return bytes.indexOf(mark) + mark.length;
}

function join(items: readonly Item[]): Page {
  const comma = Buffer.from(',');
  const parts: Buffer[] = [Buffer.from('{"kind":"list","itemKind":"deployment","items":[')];
  const modifiedAt: number[] = [];
  const syncAt: number[] = [];
  let length = parts[0]?.length ?? 0;
  items.forEach((item, place) => {
    if (place > 0) {
      parts.push(comma);
      length += 1;
    }
    modifiedAt.push(length + item.modifiedAt);
    syncAt.push(length + item.syncAt);
    parts.push(item.bytes);
    length += item.bytes.length;
  });
  parts.push(Buffer.from('],"links":[]}'));
  return { bytes: Buffer.concat(parts), modifiedAt, syncAt };
}
