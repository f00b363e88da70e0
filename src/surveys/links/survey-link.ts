/** A link by which one recipient answers a survey once. Its token is shown when it is made and stored as a hash. */
export interface SurveyLink {
  id: string
  projectId: number
  surveyId: string
  /** The person that the answers belong to. */
  distinctId: string | undefined
  email: string | undefined
  label: string
  createdBy: string
  createdAt: Date
  expiresAt: Date | undefined
  revokedAt: Date | undefined
  /** The submission that the link was used for. */
  submissionId: string | undefined
  /** The first answer, where answers are sent one by one. */
  begunAt: Date | undefined
  answeredAt: Date | undefined
}

export const surveyLinkStates = ['unused', 'begun', 'answered', 'expired', 'revoked'] as const
export type SurveyLinkState = (typeof surveyLinkStates)[number]

/** Opening a link changes nothing: programs open the links of letters too. */
export function linkStateOf(
  { answeredAt, revokedAt, expiresAt, begunAt }: SurveyLink,
  now: Date,
): SurveyLinkState {
  if (answeredAt) return 'answered'
  if (revokedAt) return 'revoked'
  if (expiresAt && expiresAt <= now) return 'expired'
  return begunAt ? 'begun' : 'unused'
}

/** The parameter of the survey's address that has the token. */
export const linkParameter = 'link'

/** The parameter that has the key of a test: see `SurveyAnswers.testKeyOf`. */
export const testParameter = 'survey_test'

/** The address that a recipient opens, on one of the project's hosts. */
export const linkAddress = (host: string, surveyId: string, token: string): string =>
  new URL(`/s/${surveyId}?${linkParameter}=${token}`, host).href
