import { eventLabel, isSystemEvent } from '#events/taxonomy'
import type { PersonEvent } from '#insights/people/person-records'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { dateTime, duration, time } from '#ui/format'
import type { Clock } from '#studio/parts/RelativeTime'
import { SystemEventsLink } from '#studio/parts/SystemEventsLink'
import { EventDetails } from './EventDetails'

interface TimelineVisit {
  session: string | undefined
  events: PersonEvent[]
}

/** Unfolds system events, or folds them again. */
interface EventFolding {
  isShown: boolean
  href: string
}

interface TimelineProps {
  slug: string
  events: readonly PersonEvent[]
  clock: Clock
  /** System events are folded; without it, all are listed. */
  folding?: EventFolding | undefined
}

/** Lists a person's events by session, latest first. */
export function Timeline({ events, ...context }: TimelineProps) {
  if (events.length === 0) return <EmptyMessage title="No events" body="No event matches the filter." />
  return (
    <ol className="flex flex-col gap-5" aria-label="Sessions, latest first">
      {visitsIn(events).map((visit) => (
        <Session key={visit.events[0]?.uuid} {...context} visit={visit} />
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
  folding,
}: Omit<TimelineProps, 'events'> & { visit: TimelineVisit }) {
  const system = folding ? events.filter(({ event }) => isSystemEvent(event)).length : 0
  const listed = folding?.isShown ? events : events.filter(({ event }) => !folding || !isSystemEvent(event))
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
        {listed.map((event) => (
          <TimelineEvent key={event.uuid} slug={slug} event={event} clock={clock} />
        ))}
        {folding && system > 0 && (
          <li className="px-3 py-1.5 text-sm">
            <SystemEventsLink count={system} {...folding} />
          </li>
        )}
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
