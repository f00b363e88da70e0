import type { IncomingEvent } from '#events/event'

const timeOf = ({ timestamp }: Pick<IncomingEvent, 'timestamp'>): number => timestamp?.getTime() ?? 0

/** Sorts events by their sender's clock: requests that a browser sends beside each other arrive in any order. */
export const sortedByTime = <Event extends Pick<IncomingEvent, 'timestamp'>>(
  events: readonly Event[],
): Event[] => events.toSorted((one, other) => timeOf(one) - timeOf(other))
