import { yieldIfLong } from '#world/event-loop'

/** About a millisecond of work on events. */
const sliceEvents = 1024

/** Works slice by slice and lets requests be answered in between. */
export async function inSlices<Event>(
  events: readonly Event[],
  work: (slice: readonly Event[]) => void,
): Promise<void> {
  for (let from = 0; from < events.length; from += sliceEvents) {
    await yieldIfLong()
    work(events.slice(from, from + sliceEvents))
  }
}
