import type { Experiment } from '#experiments/experiment'
import { date } from '#ui/format'

/** When an experiment runs: "Running since 3 Mar 2026". */
export function datesInWords({ startedAt, endedAt }: Experiment, timeZone: string): string {
  if (!startedAt) return 'Not started yet'
  return endedAt
    ? `${date(startedAt, timeZone)} to ${date(endedAt, timeZone)}`
    : `Running since ${date(startedAt, timeZone)}`
}
