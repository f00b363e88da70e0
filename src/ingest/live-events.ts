import type { LiveEvent } from '#events/live-event'
import type { WireRefusal } from '#wire/dialect'
import type { StoredEvent } from './internal/batches'

/** An incoming event or request and its project; without a project when its key is unknown. */
export interface ProjectLiveEvent {
  projectId: number | undefined
  liveEvent: LiveEvent
  /** The number of events before this one that were left out, because they came too fast to display. */
  omittedCount?: number
}

/** The most events a second that the live view shows of a project; of more it shows the count. */
export const mostPerSecond = 40

/** Announces stored events to the live view, but for those of imports. */
export function announceStored(
  events: readonly StoredEvent[],
  announce: (projectLiveEvent: ProjectLiveEvent) => void,
): void {
  const live = events.filter(({ event }) => event.importId === undefined)
  for (const ofProject of Map.groupBy(live, ({ event }) => event.projectId).values())
    for (const projectLiveEvent of storedLiveEvents(ofProject)) announce(projectLiveEvent)
}

/** Creates no more than a page can show: parsing an event's row costs as much as storing it. */
function storedLiveEvents(events: readonly StoredEvent[]): ProjectLiveEvent[] {
  const omittedCount = Math.max(0, events.length - mostPerSecond)
  return events.slice(omittedCount).map((one, i) => ({
    projectId: one.event.projectId,
    liveEvent: storedLiveEvent(one),
    omittedCount: i === 0 ? omittedCount : 0,
  }))
}

export const refusedLiveEvent = ({ projectId, ...refusal }: WireRefusal, at: Date): ProjectLiveEvent => ({
  projectId,
  liveEvent: { kind: 'refused', at: at.toISOString(), named: undefined, ...refusal },
})

const storedLiveEvent = ({ event, personId }: StoredEvent): LiveEvent => ({
  kind: 'stored',
  at: event.at.toISOString(),
  receivedAt: event.receivedAt.toISOString(),
  uuid: event.uuid,
  name: event.name,
  distinctId: event.distinctId,
  personId,
  sessionId: event.sessionId,
  isCookieless: event.isCookieless,
  columns: event.columns,
  groups: event.groups,
  properties: event.properties,
})
