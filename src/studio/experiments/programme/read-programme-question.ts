import { periodText } from '#insights/calendar/period'
import { type SearchParams, textOf } from '#studio/search-params'
import { type ProgrammeQuestion, usualPeriod } from './programme-question'

/** Ignores invalid values in the address. */
export function programmeQuestionIn({ period, metric, search }: SearchParams): ProgrammeQuestion {
  const parsed = periodText.safeParse(textOf(period))
  return {
    period: parsed.success ? parsed.data : usualPeriod,
    metric: textOf(metric)?.slice(0, 100),
    search: textOf(search)?.trim().slice(0, 200) || undefined,
  }
}
