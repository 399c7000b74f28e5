import type { Standing } from '../../access/changes.ts';
import { denied } from '../../access/denial.ts';
import type { AuditEntry } from '../../changes/audit.ts';
import type { OfficeDeps } from '../../changes/office.ts';
import type { Changes } from '../../changes/store.ts';
import type { Clock } from '../../lib/clock.ts';
import { nearest } from '../../lib/nearest.ts';
import { Unreadable } from '../../lib/refusal.ts';
import { truncate } from '../../lib/text.ts';
import type { Answer } from '../../slack/routes.ts';
import { isOwn, mayDecide, maySee } from './sight.ts';
import { showAnswer } from './show-view.ts';

interface ShowDeps extends Pick<OfficeDeps, 'kindOf' | 'approvals'> {
  readonly changes: Changes;
  readonly clock: Clock;
}

/** Requests among whose ids a mistyped one is looked for. */
const NEAR = 200;

/** The whole life of a request. @throws Refusal for whom it is not for, Unreadable for an id that there is not */
export async function show(deps: ShowDeps, who: Standing, id: string): Promise<Answer> {
  const { changes } = deps;
  const change = await changes.get(id);
  if (change === undefined) throw await unknownId(changes, who, id);
  if (!maySee(change, who)) {
    const roles = [...new Set(['billing_admin', ...change.approvers])].join(' or ');
    throw denied(
      'role',
      `The request ${id} is seen by whoever asked for it and by people with the role ${roles}: ask one of them.`,
    );
  }
  const audit: AuditEntry[] = [];
  for await (const entry of changes.audit(id)) audit.push(entry);
  return showAnswer({
    change,
    audit,
    isOwn: isOwn(change, who),
    mayDecide: mayDecide(deps, change, who),
    now: deps.clock.now(),
  });
}

async function unknownId(changes: Changes, who: Standing, id: string): Promise<Unreadable> {
  const latest = (await changes.list(0, NEAR)).filter((change) => maySee(change, who));
  const meant = nearest(
    id,
    latest.map((change) => change.id),
  );
  return new Unreadable(
    `There is no request "${truncate(id, 60)}": its ID is on the card, and in the list of /changes.`,
    meant === undefined ? undefined : `/changes show ${meant}`,
  );
}
