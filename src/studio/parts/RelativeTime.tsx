import { ago, date, dateTime } from '#ui/format'
import { Tooltip } from '#ui/overlay/Tooltip'

/** The time zone and current time that times are shown by. */
export interface Clock {
  now: Date
  timeZone: string
}

/** The current time in the time zone of a project. */
export const clockOf = ({ timeZone }: Pick<Clock, 'timeZone'>): Clock => ({ now: new Date(), timeZone })

/** The longest time that is told from now; beyond that, its day says more than "3 months ago". */
const relativeForMs = 30 * 86_400_000

/** A time relative to now, or its day if it is more than a month away; the exact time and its zone show on hover. */
export function RelativeTime({ at, clock: { now, timeZone } }: { at: Date; clock: Clock }) {
  return (
    <Tooltip label={`${dateTime(at, timeZone)} ${timeZone}`}>
      <time dateTime={at.toISOString()} className="whitespace-nowrap">
        {Math.abs(at.getTime() - now.getTime()) < relativeForMs ? ago(at, now) : date(at, timeZone)}
      </time>
    </Tooltip>
  )
}

/** The day of something that has been set a day, where "in 2 months" would be too vague. */
export function CalendarDate({ at, clock: { timeZone } }: { at: Date; clock: Clock }) {
  return (
    <Tooltip label={`${dateTime(at, timeZone)} ${timeZone}`}>
      <time dateTime={at.toISOString()} className="whitespace-nowrap">
        {date(at, timeZone)}
      </time>
    </Tooltip>
  )
}
