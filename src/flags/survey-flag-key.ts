import { exposure } from '#insights/compile/exposure'

/** Whether a flag is kept by a survey, by its key. Exposures to such a flag are not recorded, as in posthog-js. */
export const isSurveyFlagKey = (key: string): boolean => key.startsWith(exposure.surveyTargeting)
