import { periodText } from '#insights/calendar/period'
import { type SearchParams, textOf } from '#studio/search-params'
import { type ProgrammeFilter, usualPeriod } from './programme-filter'

/** Ignores invalid values in the address. */
export function programmeFilterIn({ period, metric, search }: SearchParams): ProgrammeFilter {
  const parsed = periodText.safeParse(textOf(period))
  return {
    period: parsed.success ? parsed.data : usualPeriod,
    metric: textOf(metric)?.slice(0, 100),
    search: textOf(search)?.trim().slice(0, 200) || undefined,
  }
}
