import { describe, expect, it } from 'vitest';
import {
  detailsModal,
  type DetailsView,
} from '../../../../src/features/deployments/details-view.ts';
import type { Deployment } from '../../../../src/platform/deployments/deployment.ts';
import { LIMITS } from '../../../../src/slack/kit/text.ts';
import { modalBlocks } from '../../../../src/slack/replies/reply.ts';
import type { ModalContent } from '../../../../src/slack/routing/routes.ts';
import * as fc from '../../../support/fast-check.ts';
import {
  broken,
  container,
  deployment,
  NOON,
  ready,
  stale,
  version,
  type Json,
} from '../../rollouts/platform-json.ts';
import { hostile, runs } from '../../slack/hostile.ts';
import { buttonsOf } from '../../../support/answer.ts';
import { createDeployments, freshOf } from './harness.ts';

function entry(status: Json, location = 'aws-us-west-2', workload = 'cart'): Deployment {
  return deployment(status, { workload, location });
}

const SHOP = { org: 'acme', defaultOrg: 'acme', target: { gvc: 'shop' } };

function view(deployments: readonly Deployment[]): DetailsView {
  const workloads = freshOf(deployments);
  return { ...SHOP, links: [], workloads, deployments, skipped: 0, page: 1, now: NOON };
}

function modal(...entries: Deployment[]): ModalContent {
  return detailsModal(view(entries));
}

/** All pages of a modal, one after the other. */
function pagesOf(entries: readonly Deployment[]): ModalContent[] {
  const pages: ModalContent[] = [];
  for (let page = 1; ; page += 1) {
    const content = detailsModal({ ...view(entries), page });
    pages.push(content);
    if (!buttonsOf(content).includes('Next')) return pages;
  }
}

/** Every text that is read, block by block. */
function textsOf(blocks: readonly unknown[]): string[] {
  return blocks.flatMap((block) => {
    const { text, elements = [] } = block as {
      text?: { text: string };
      elements?: { text: string | object }[];
    };
    return [...(text === undefined ? [] : [text]), ...elements]
      .map((one) => one.text)
      .filter((one) => typeof one === 'string');
  });
}

/** The containers of a version: so many, each with this message. */
interface Reported {
  containers: number;
  message: string;
}

/** Deployments with names of their own for everything, by the containers of their versions. */
function fleetOf(deployments: readonly (readonly Reported[])[]) {
  return deployments.map((versions, at) => ({
    workload: `w${at}`,
    location: `l${at}`,
    status: ready(1, {
      versions: versions.map(({ containers, message }, index) => {
        const names = Array.from({ length: containers }, (_, nth) => `c${at}-${index}-${nth}`);
        return version(100 + index, {
          zone: `z${at}-${index}`,
          message,
          containers: Object.fromEntries(names.map((name) => [name, container({ message })])),
        });
      }),
    }),
  }));
}

const fleet = fc
  .array(
    fc.array(
      fc.record({
        containers: fc.oneof(fc.nat(3), fc.nat(40)),
        message: fc.oneof(
          fc.constant(''),
          fc.constantFrom('&', 'x ', '"').map((one) => one.repeat(1_200)),
        ),
      }),
      { maxLength: 3 },
    ),
    { maxLength: 30 },
  )
  .map(fleetOf);

/** More blocks than Slack takes in a view, and more bytes. */
const MANY = fleetOf(Array.from({ length: 60 }, () => []));
const LONG = fleetOf([
  Array.from({ length: 10 }, () => ({ containers: 30, message: '"'.repeat(900) })),
]);

function words({ blocks }: ModalContent): string {
  return JSON.stringify(blocks);
}

describe('the details of a deployment', () => {
  it('show the whole of a cause that messages cut', () => {
    const shown = words(modal(entry(broken(12, `Readiness probe failed: ${'x'.repeat(300)}`))));

    expect(shown).toContain(
      `The readiness check fails (\`Readiness probe failed: ${'x'.repeat(300)}\`)`,
    );
  });

  it('have a dash for a count that is not reported', () => {
    const main = container({ resources: { replicas: 2 } });
    const shown = words(
      modal(entry(ready(1, { versions: [version(1, { containers: { main } })] }))),
    );

    expect(shown).toContain(' –/2 ready');
  });

  it('have pages, the worst first, and each can be turned to', async () => {
    const deployments = Array.from({ length: 120 }, (_, index) =>
      deployment(index === 119 ? stale(1) : ready(1), {
        workload: `w${String(index).padStart(3, '0')}`,
      }),
    );
    const harness = createDeployments({ deployments });

    const first = await harness.openWith(await harness.type('shop'), 'Details');
    const second = await harness.openWith(first, 'Next');
    const last = await harness.openWith(second, 'Next');
    const back = await harness.openWith(last, 'Previous');

    expect(words(first)).toContain('*shop* in org acme: 120 deployments');
    expect(words(first)).toContain('Page 1 of 3, read at <!date^');
    expect(textsOf(first.blocks)[1]).toContain('*w119* in *oslo* – v1 stale');
    expect(textsOf(second.blocks)[1]).toContain('*w048* in *oslo*');
    expect(buttonsOf(last)).toEqual(['Previous']);
    expect(words(back)).toEqual(words(second));
  });

  it('leave no location, zone, version or container out, on pages that Slack takes', () => {
    fc.assert(
      fc.property(fleet, (all) => {
        const entries = all.map(({ status, workload, location }) =>
          entry(status, location, workload),
        );
        const pages = pagesOf(entries);
        const shown = pages.flatMap(({ blocks }) => textsOf(blocks));
        const has = (part: string): number => shown.filter((text) => text.includes(part)).length;

        for (const content of pages) {
          const blocks = modalBlocks(content);
          expect(blocks.length).toBeLessThanOrEqual(LIMITS.modalBlocks);
          expect(Buffer.byteLength(JSON.stringify(blocks))).toBeLessThan(250_000);
          const texts = textsOf(blocks);
          expect(texts.filter((text) => text === '' || text.length > 3_000)).toEqual([]);
          // Cut by the kit, without a word of how much is missing.
          expect(texts.filter((text) => /…(?! \()/.test(text))).toEqual([]);
        }
        for (const one of entries) {
          expect(has(`*${one.workload}* in *${one.location}* – `)).toBe(1);
          for (const { zone, workload: number, containers } of one.versions) {
            expect(has(`*v${number}* ready, GVC v4, zone ${zone}`)).toBeGreaterThan(0);
            for (const { name } of containers) expect(has(`• ${name} \``)).toBe(1);
          }
        }
      }),
      { numRuns: 100, examples: [[MANY], [LONG]] },
    );
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
          words(modal(entry(status, `x${text}`.replace(/[/\s]/g, '').slice(0, 500)))).replaceAll(
            '<!date^',
            '',
          ),
        ).not.toMatch(/<[!@#h]/);
      }),
      { ...runs, numRuns: 300 },
    );
  });
});
