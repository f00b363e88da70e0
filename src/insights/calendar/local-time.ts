import { Temporal } from 'temporal-polyfill'

/** A local date and time. */
export interface LocalTime {
  /** "2026-03-02" */
  day: string
  /** "10:00" */
  time: string
}

export function localTime(at: Date, timeZone: string): LocalTime {
  const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)
  return {
    day: local.toPlainDate().toString(),
    time: local.toPlainTime().toString({ smallestUnit: 'minute' }),
  }
}

/** Returns undefined for a local time that the time zone skips. */
export function instantOf({ day, time }: LocalTime, timeZone: string): Date | undefined {
  try {
    const local = Temporal.PlainDateTime.from(`${day}T${time}`)
    return new Date(local.toZonedDateTime(timeZone).epochMilliseconds)
  } catch {
    return undefined
  }
}
