import * as fc from '../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { detailsModal } from '../../../src/features/deployments/details-view.ts';
import { statusOf } from '../../../src/rollouts/engine/status.ts';
import type { ModalContent } from '../../../src/slack/routes.ts';
import { NOON, container, deployment, ready, version } from '../rollouts/platform-json.ts';
import type { Json } from '../rollouts/platform-json.ts';
import { hostile, runs } from '../slack/hostile.ts';

function entry(status: Json, location = 'aws-us-west-2', workload = 'cart') {
  const read = deployment(status, { workload, location });
  return { deployment: read, status: statusOf(read, undefined, NOON), since: NOON };
}

function modal(...entries: ReturnType<typeof entry>[]): ModalContent {
  return detailsModal({ org: 'acme', target: { gvc: 'shop' } }, entries);
}

function words({ blocks }: ModalContent): string {
  return JSON.stringify(blocks);
}

describe('the details of a deployment', () => {
  it('name its zones, containers, images, resources and restarts', () => {
    const restarts = {
      count: 3,
      exitCode: 137,
      reason: 'OOMKilled',
      lastRestartTime: '2026-10-05T11:00:00Z',
    };
    const resources = { replicas: 2, replicasReady: 1, cpu: 250, memory: 256 };
    const main = container({ image: 'registry.example/web:12', resources, restarts });
    const shown = words(
      modal(
        entry(
          ready(12, {
            endpoint: 'https://cart.example/',
            versions: [version(12, { gvc: 3, zone: 'us-west-2a', containers: { main } })],
          }),
        ),
      ),
    );

    expect(shown).toContain('*v12* ready, GVC v3, zone us-west-2a');
    expect(shown).toContain('• main `registry.example/web:12` 1/2 ready, 250 millicores, 256 MiB');
    expect(shown).toContain('3 restarts (OOMKilled, exit code 137), last <!date^1791198000^');
    expect(shown).toContain('endpoint `https://cart.example/`');
    expect(shown).toContain('ready, seen since <!date^');
  });

  it('say so where nothing is reported', () => {
    const shown = words(modal(entry({})));

    expect(shown).toContain('No version is reported.');
    expect(shown).toContain('no endpoint is reported');
  });

  it('stay within the hundred blocks of a modal and count the rest', () => {
    const many = Array.from({ length: 300 }, (_, index) => entry(ready(1), `location-${index}`));

    const { blocks } = modal(...many);

    expect(blocks.length).toBeLessThanOrEqual(100);
    expect(JSON.stringify(blocks)).toContain('255 more deployments');
  });

  it('let no foreign text become markup', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const main = container({ image: text, message: text });
        const status = ready(1, {
          endpoint: text,
          message: text,
          versions: [version(1, { message: text, zone: text, containers: { [text]: main } })],
        });

        expect(
          words(modal(entry(status, `x${text}`.replace(/[/\s]/g, '')))).replaceAll('<!date^', ''),
        ).not.toMatch(/<[!@#h]/);
      }),
      runs,
    );
  });
});
