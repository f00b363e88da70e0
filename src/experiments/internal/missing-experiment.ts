import { failedOutcome } from '#projects/problems'

export const missingExperiment = failedOutcome('There is no such experiment in this project.')
