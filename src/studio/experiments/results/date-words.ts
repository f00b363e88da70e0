import type { Experiment } from '#experiments/experiment'
import { date } from '#ui/format'

/** Says when an experiment ran: "Running since 1 Dec 2026". */
export function datesInWords({ startedAt, endedAt }: Experiment, timeZone: string): string {
  if (!startedAt) return 'Not started yet'
  return endedAt
    ? `${date(startedAt, timeZone)} to ${date(endedAt, timeZone)}`
    : `Running since ${date(startedAt, timeZone)}`
}
