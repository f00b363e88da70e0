import { Temporal } from 'temporal-polyfill'
import { instantOn } from '#flags/schedules'

export const timeAdvice =
  'Give an instant such as "2026-03-02T10:00:00Z", or a time of the project’s clocks: "2026-03-02T10:00".'

/** A scheduled time, and a note if the local clocks skip or repeat it. */
interface ScheduledTime {
  at: Date
  note: string | undefined
}

const minute = { smallestUnit: 'minute' } as const

/** If the clocks skip the time, it is moved by the skipped length; if they repeat it, the first one counts. */
export function parseScheduledTime(written: string, timeZone: string): ScheduledTime | undefined {
  const at = instantOn(written, timeZone)
  return at && { at, note: isInstant(written) ? undefined : clockChangeNote(written, at, timeZone) }
}

const isInstant = (written: string): boolean => /(?:z|[+-]\d\d:?\d\d)$/i.test(written)

function clockChangeNote(written: string, at: Date, timeZone: string): string | undefined {
  const writtenTime = Temporal.PlainDateTime.from(written)
  const shown = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)
  const time = (one: { toPlainTime: () => Temporal.PlainTime }) => one.toPlainTime().toString(minute)
  if (!shown.toPlainDateTime().equals(writtenTime))
    return `The clocks of ${timeZone} skip ${time(writtenTime)} on that day: it appears at ${time(shown)}.`
  const later = writtenTime.toZonedDateTime(timeZone, { disambiguation: 'later' })
  return later.epochMilliseconds === at.getTime()
    ? undefined
    : `The clocks of ${timeZone} show ${time(writtenTime)} twice on that day: it appears the first time.`
}
