import type { GvcScript } from './fleet.ts';

/**
 * GVCs of four workloads each, too few for trouble of a location; one in which everything does the same
 * at once; and one in which nothing happens. Every fourth is heard in two channels.
 */
export function mixedFleet(gvcs: number, channels: number): GvcScript[] {
  const channelOf = (index: number): string => `C0CHAOS${index % channels}`;
  const mixed = Array.from({ length: gvcs }, (_, index) => ({
    name: `gvc${index}`,
    workloads: 4,
    channels: index % 4 === 0 ? [channelOf(index), channelOf(index + 1)] : [channelOf(index)],
  }));
  return [
    ...mixed,
    { name: 'unison', workloads: 8, unison: true, channels: [channelOf(gvcs)] },
    { name: 'still', workloads: 6, still: true, channels: [channelOf(0)] },
  ];
}

/**
 * The seed that is asked for, or one for each run. With `usual`, a run that nobody has asked anything of
 * plays the same script each time, so that it turns red by the change and not by the dice.
 */
export function seedOf(usual = Date.now() % 1_000_000): number {
  return Number(process.env['CHAOS_SEED'] ?? usual);
}
