import { eventLabel } from '#events/taxonomy'
import type { PersonEvent } from '#insights/people/person-records'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { dateTime, duration, time } from '#ui/format'
import type { Clock } from '#studio/parts/RelativeTime'
import { EventDetails } from './EventDetails'

interface TimelineVisit {
  session: string | undefined
  events: PersonEvent[]
}

/** Lists a person's events by session, latest first. */
export function Timeline({
  slug,
  events,
  clock,
}: {
  slug: string
  events: readonly PersonEvent[]
  clock: Clock
}) {
  if (events.length === 0) return <EmptyMessage title="No events" body="No event matches the filter." />
  return (
    <ol className="flex flex-col gap-5" aria-label="Sessions, latest first">
      {visitsIn(events).map((visit) => (
        <Session key={visit.events[0]?.uuid} slug={slug} visit={visit} clock={clock} />
      ))}
    </ol>
  )
}

/** Neighbours of one session belong together. */
function visitsIn(events: readonly PersonEvent[]): TimelineVisit[] {
  const visits: TimelineVisit[] = []
  for (const event of events) {
    const last = visits.at(-1)
    if (last?.session !== undefined && last.session === event.session) last.events.push(event)
    else visits.push({ session: event.session, events: [event] })
  }
  return visits
}

function Session({
  slug,
  visit: { session, events },
  clock,
}: {
  slug: string
  visit: TimelineVisit
  clock: Clock
}) {
  const [latest, earliest] = [events[0], events.at(-1)]
  if (!latest || !earliest) return null
  const lasted = Date.parse(latest.at) - Date.parse(earliest.at)

  return (
    <li>
      <p className="mb-1 flex flex-wrap gap-x-2 text-xs text-muted">
        <time dateTime={earliest.at}>{dateTime(new Date(earliest.at), clock.timeZone)}</time>
        {session !== undefined && events.length > 1 && <span>· {duration(lasted)}</span>}
        {session === undefined && <span>· no session</span>}
      </p>
      <ol className="overflow-clip rounded-md border border-line">
        {events.map((event) => (
          <TimelineEvent key={event.uuid} slug={slug} event={event} clock={clock} />
        ))}
      </ol>
    </li>
  )
}

function TimelineEvent({
  slug,
  event: { uuid, event, at, properties },
  clock,
}: {
  slug: string
  event: PersonEvent
  clock: Clock
}) {
  return (
    <li className="border-b border-line last:border-b-0">
      <EventDetails slug={slug} uuid={uuid} at={at}>
        <summary className="flex min-h-9 cursor-default items-center gap-3 px-3 py-1.5 hover:bg-hover">
          <time dateTime={at} className="shrink-0 font-mono text-xs text-muted">
            {time(new Date(at), clock.timeZone)}
          </time>
          <span className="shrink-0 font-medium">{eventLabel(event)}</span>
          <span className="min-w-0 truncate text-muted">
            {properties['$pathname'] ?? properties['$screen_name']}
          </span>
        </summary>
      </EventDetails>
    </li>
  )
}
