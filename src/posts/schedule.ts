import { Temporal } from 'temporal-polyfill'
import { instantOn } from '../flags/schedules'

export const nameATime =
  'Give an instant such as "2026-03-02T10:00:00Z", or a time of the project’s clocks: "2026-03-02T10:00".'

/** When something appears, and what to know where the clocks of that place made it another time than was written. */
export interface Moment {
  at: Date
  note: string | undefined
}

const minute = { smallestUnit: 'minute' } as const

/** Where the clocks skip that time, as much later as they skip; where they show it twice, the first time. */
export function momentIn(written: string, timeZone: string): Moment | undefined {
  const at = instantOn(written, timeZone)
  return at && { at, note: isInstant(written) ? undefined : oddityOf(written, at, timeZone) }
}

const isInstant = (written: string): boolean => /(?:z|[+-]\d\d:?\d\d)$/i.test(written)

function oddityOf(written: string, at: Date, timeZone: string): string | undefined {
  const wanted = Temporal.PlainDateTime.from(written)
  const shown = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)
  const time = (one: { toPlainTime: () => Temporal.PlainTime }) => one.toPlainTime().toString(minute)
  if (!shown.toPlainDateTime().equals(wanted))
    return `The clocks of ${timeZone} skip ${time(wanted)} on that day: it appears at ${time(shown)}.`
  const later = wanted.toZonedDateTime(timeZone, { disambiguation: 'later' })
  return later.epochMilliseconds === at.getTime()
    ? undefined
    : `The clocks of ${timeZone} show ${time(wanted)} twice on that day: it appears the first time.`
}
