import { SandboxError } from '../errors.ts';
import type { Gvc, LocationRecord, Org, Workload } from './model.ts';

export interface GvcPath {
  readonly org: string;
  readonly gvc: string;
}
export interface WorkloadPath extends GvcPath {
  readonly workload: string;
}
/** One location of a workload, or all locations. */
export interface LocationsPath extends WorkloadPath {
  readonly location?: string;
}

/** Finds things by name; a name that does not exist is a SandboxError with status 404. */
export interface Finder {
  gvc(path: GvcPath): Gvc;
  workload(path: WorkloadPath): Workload;
  records(path: LocationsPath): LocationRecord[];
  /** Every record below the part of a path that is given. */
  everywhere(path: Partial<LocationsPath>): { workload: Workload; record: LocationRecord }[];
}

export function createFinder(orgs: ReadonlyMap<string, Org>): Finder {
  const org = (name: string) => known(orgs.get(name), `there is no org ${name}`);
  const gvc = (path: GvcPath) =>
    known(org(path.org).gvcs.get(path.gvc), `the org ${path.org} has no GVC ${path.gvc}`);
  const workloadOf = (owner: Gvc, name: string) =>
    known(owner.workloads.get(name), `the GVC ${owner.name} has no workload ${name}`);
  const recordOf = (owner: Workload, location: string) =>
    known(
      owner.records.get(location),
      `the workload ${owner.name} does not run in the location ${location}`,
    );
  const recordsOf = (owner: Workload, location: string | undefined) =>
    location === undefined ? [...owner.records.values()] : [recordOf(owner, location)];

  return {
    gvc,
    workload: (path) => workloadOf(gvc(path), path.workload),
    records: (path) => recordsOf(workloadOf(gvc(path), path.workload), path.location),

    everywhere({ org: orgName, gvc: gvcName, workload: workloadName, location }) {
      const owners = orgName === undefined ? [...orgs.values()] : [org(orgName)];
      const gvcs = owners.flatMap((owner) =>
        gvcName === undefined ? [...owner.gvcs.values()] : [gvc({ org: owner.name, gvc: gvcName })],
      );
      const workloads = gvcs.flatMap((owner) =>
        workloadName === undefined
          ? [...owner.workloads.values()]
          : [workloadOf(owner, workloadName)],
      );
      return workloads.flatMap((workload) =>
        recordsOf(workload, location).map((record) => ({ workload, record })),
      );
    },
  };
}

function known<T>(value: T | undefined, sentence: string): T {
  if (value === undefined) throw new SandboxError(404, sentence);
  return value;
}
