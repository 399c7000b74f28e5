import type { PageUser } from '../../page-protocol.ts';
import type { PlatformState } from '../panel/control.ts';

const ROLES: Readonly<Record<string, string>> = {
  billing_admin: 'sees all costs, asks for changes, approves those of others',
  billing_viewer: 'sees all costs, changes nothing',
  org_creator: 'asks for new orgs, and approves those of others',
};

/** The rights of a person, by the roles on the billing account that pays. */
export function mayDo(user: PageUser, state: PlatformState | undefined): string {
  if (user.is_stranger) return 'of another workspace, may do nothing';
  if (user.is_restricted) return 'a guest, may do nothing';
  const { users = [] } = state?.accounts[0] ?? {};
  const roles = users.find(({ email }) => email === user.email)?.roles ?? [];
  const may = roles.flatMap((role) => ROLES[role] ?? []);
  return may.length === 0 ? 'sees and watches rollouts, no costs' : may.join('; ');
}
