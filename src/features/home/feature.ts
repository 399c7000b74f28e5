import type { Feature } from '../feature.ts';
import { createRolesPart } from './roles.ts';
import type { RolesDeps } from './roles.ts';

/** What of the home tab belongs to no other feature; they bring their own parts. */
export function createHomeFeature(deps: RolesDeps): Feature {
  return { name: 'home', home: [createRolesPart(deps)] };
}
