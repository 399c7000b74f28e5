/**
 * What is remembered of a GVC beyond its workloads: the rollout of the GVC itself, and its locations in
 * trouble. Plain JSON; undefined parts are left out.
 */
export interface Wide {
  [part: string]: unknown;
}
