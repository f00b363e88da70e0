import type { IncomingEvent } from '#events/event'

const timeOf = ({ timestamp }: Pick<IncomingEvent, 'timestamp'>): number => timestamp?.getTime() ?? 0

/** Sorts events by their sender's clock: requests that a browser sends beside each other arrive in any order. */
export const sortedByTime = <Event extends Pick<IncomingEvent, 'timestamp'>>(
  events: readonly Event[],
): Event[] => events.toSorted((one, other) => timeOf(one) - timeOf(other))

/** Each event once, as collection keeps it: a client that did not get the answer before its page was left sends it again by its id. */
export function firstOfEach<Event extends { uuid: string | undefined }>(events: readonly Event[]): Event[] {
  const ids = new Set<string>()
  return events.filter(({ uuid }) => uuid === undefined || ids.size !== ids.add(uuid).size)
}
