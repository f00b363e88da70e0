import { missingOutcome } from '#projects/problems'

export const missingExperiment = missingOutcome('There is no such experiment in this project.')
