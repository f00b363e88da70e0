import type { ExperimentProgrammeFilter } from '#studio/paths'

/** The view of a programme. */
export interface ProgrammeFilter extends ExperimentProgrammeFilter {
  period: string
}

export const usualPeriod = '12mo'

/** The same in an address. */
export const programmeInAddress = ({ period, ...filter }: ProgrammeFilter): ExperimentProgrammeFilter => ({
  period: period === usualPeriod ? undefined : period,
  ...filter,
})
