import type { ExperimentProgrammeQuestion } from '#studio/paths'

/** The view of a programme. */
export interface ProgrammeQuestion extends ExperimentProgrammeQuestion {
  period: string
}

export const usualPeriod = '12mo'

/** The same in an address. */
export const programmeInAddress = ({
  period,
  ...question
}: ProgrammeQuestion): ExperimentProgrammeQuestion => ({
  period: period === usualPeriod ? undefined : period,
  ...question,
})
