import type { Message } from '../../notify/message.ts';
import type { JobNews, News } from '../engine/telling.ts';
import { audiencesOf } from '../watches.ts';
import { jobKey } from './event-keys.ts';
import type { Place } from './event-keys.ts';
import { heldIn } from './hearing.ts';
import type { Hearing } from './hearing.ts';
import { jobContent } from './job-view.ts';
import { gvcGoneMessages, gvcMessages } from './publish-gvc.ts';
import { locationMessages } from './publish-location.ts';
import type { LocationsHeard } from './publish-location.ts';

/** What is told beyond single workloads, as messages. Pure. */
export function newsMessages(
  place: Place,
  news: readonly News[],
  hearing: Hearing,
  locations: LocationsHeard,
): Message[] {
  return news.flatMap((one) => {
    switch (one.kind) {
      case 'location':
        return locationMessages(place, one, hearing, locations);
      case 'gvc':
        return gvcMessages(place, one, hearing);
      case 'gvc-gone':
        return gvcGoneMessages(place, one, hearing);
      case 'job':
        return jobMessages(place, one, hearing);
    }
  });
}

/** A filter hears it under the word `failed`. */
function jobMessages(place: Place, job: JobNews, hearing: Hearing): Message[] {
  const own = { ...place, workload: job.workload };
  return audiencesOf(hearing.watches, own)
    .filter((audience) => audience.hears('failed'))
    .map(({ channel }) => ({
      channel,
      key: jobKey(place, job),
      ...jobContent(place, job),
      ...heldIn(channel, own, hearing),
    }));
}
