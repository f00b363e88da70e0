import { Temporal } from 'temporal-polyfill'

/** A day and a time as a clock on the wall shows them. */
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

/** Undefined where no clock ever showed that. */
export function instantOf({ day, time }: LocalTime, timeZone: string): Date | undefined {
  try {
    const local = Temporal.PlainDateTime.from(`${day}T${time}`)
    return new Date(local.toZonedDateTime(timeZone).epochMilliseconds)
  } catch {
    return undefined
  }
}
