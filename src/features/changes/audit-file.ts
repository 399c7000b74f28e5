import type { Changes } from '../../changes/store.ts';
import type { Clock } from '../../lib/clock.ts';
import { plural } from '../../lib/text.ts';
import { code, linkButton, mrkdwn, section, topText } from '../../slack/kit/index.ts';
import type { Answer } from '../../slack/routes.ts';
import type { SendFile } from '../../slack/upload.ts';

export interface AuditFileDeps {
  readonly changes: Pick<Changes, 'audit'>;
  readonly sendFile: SendFile;
  readonly clock: Clock;
}

/** The audit of all changes as NDJSON, in the person's messages with the bot (design section 5). @throws Refusal */
export async function sendAudit(deps: AuditFileDeps, userId: string): Promise<Answer> {
  const day = new Date(deps.clock.now()).toISOString().slice(0, 10);
  const filename = `purser-audit-${day}.ndjson`;
  let count = 0;
  async function* content(): AsyncGenerator<Uint8Array> {
    for await (const entry of deps.changes.audit()) {
      count += 1;
      yield Buffer.from(`${JSON.stringify(entry)}\n`);
    }
  }
  const address = await deps.sendFile({
    userId,
    filename,
    title: `Audit of changes, ${day}`,
    comment:
      'Who asked for which change, who decided, and what came of it; one JSON object per line',
    content: content(),
  });
  const open = address === undefined ? undefined : linkButton('Open', address);
  const line = mrkdwn`The audit, ${plural(count, 'line')}, is in your messages with Purser, as ${code(filename)}.`;
  return { text: topText(line), blocks: [section(line)], ...(open ? { buttons: [open] } : {}) };
}
