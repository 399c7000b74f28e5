import type {
  DeploymentList,
  SeenDeployment,
  SeenList,
} from '../../platform/deployments/client.ts';
import { readFacts } from './facts.ts';
import type { Facts } from './facts.ts';
import type { RecordMemory } from './classify.ts';

/** What one poll says of one record. Its facts are only read where they may matter. */
export interface Sighting {
  /** `workload/location`. */
  key: string;
  workload: string;
  location: string;
  /** Records of one key with equal prints have equal facts; '' = unknown, so never equal. */
  print: string;
  facts(): Facts;
}

/** One complete list of a GVC, as the watch engine takes it. */
export interface Sightings {
  seen: readonly Sighting[];
  /** Keys of records that are there and could not be read. */
  unreadable: readonly string[];
  /** Items that do not say who they are; with any, the list does not prove that a record is gone. */
  unidentified: number;
  /** The list is the second empty one or a later one, and a workload that was known is not found either. */
  gone?: boolean;
}

/**
 * Records that the same print changes no more, whatever the time: by key, the print and the memory
 * that it led to. Only a saving: without it the outcome is the same.
 */
export type Settled = Map<string, { print: string; memory: RecordMemory }>;

/** The sightings of a list that was read in full. */
export function sightingsOf(list: DeploymentList): Sightings {
  return {
    seen: list.deployments.map((deployment) => ({
      key: `${deployment.workload}/${deployment.location}`,
      workload: deployment.workload,
      location: deployment.location,
      print: '',
      facts: () => readFacts(deployment),
    })),
    unreadable: list.unreadable,
    unidentified: list.unidentified,
  };
}

/** The sightings of a list whose items are read where they may matter. */
export function lazySightings(list: SeenList): Sightings {
  return {
    seen: list.seen.map((one) => new LazySighting(one)),
    unreadable: list.unreadable,
    unidentified: list.unidentified,
  };
}

/** A class, because ten thousand closures are felt. */
class LazySighting implements Sighting {
  readonly key: string;
  readonly workload: string;
  readonly location: string;
  readonly print: string;
  private readonly listed: SeenDeployment;

  constructor(listed: SeenDeployment) {
    this.key = listed.key;
    this.workload = listed.workload;
    this.location = listed.location;
    this.print = listed.print;
    this.listed = listed;
  }

  facts(): Facts {
    return readFacts(this.listed.read());
  }
}
