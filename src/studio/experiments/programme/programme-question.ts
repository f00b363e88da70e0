import { periodText } from '#insights/calendar/period'
import type { ExperimentProgrammeQuestion } from '#studio/paths'
import { type SearchParams, textOf } from '#studio/search-params'

export interface ProgrammeQuestion extends ExperimentProgrammeQuestion {
  period: string
}

const usualPeriod = '12mo'

/** Ignores invalid values in the address. */
export function programmeQuestionIn({ period, metric, search }: SearchParams): ProgrammeQuestion {
  const parsed = periodText.safeParse(textOf(period))
  return {
    period: parsed.success ? parsed.data : usualPeriod,
    metric: textOf(metric)?.slice(0, 100),
    search: textOf(search)?.trim().slice(0, 200) || undefined,
  }
}

/** The same in an address. */
export const programmeInAddress = ({
  period,
  ...question
}: ProgrammeQuestion): ExperimentProgrammeQuestion => ({
  period: period === usualPeriod ? undefined : period,
  ...question,
})
