import type { z } from 'zod'
import type { Unchanging } from '#collection/unchanging'
import type { Filter } from '#filters/filter'
import type { formatted } from './internal/field-schemas'
import type {
  appearance,
  editableSurvey,
  endCard,
  screen,
  surveyContent,
  surveySchema,
  surveyVersion,
  translation,
} from './survey-schema'
import type {
  actionStep,
  actionTrigger,
  eventTrigger,
  placement,
  schedule,
  targeting,
  trigger,
} from './internal/targeting-schema'

/** The types of the schemas in `survey-schema` and `targeting-schema`, for code that goes to browsers without them. */
export type Survey = Unchanging<z.infer<typeof surveySchema>, Filter>
export type EditableSurvey = Unchanging<z.infer<typeof editableSurvey>, Filter>
export type SurveyContent = Unchanging<z.infer<typeof surveyContent>>
export type SurveyVersion = Unchanging<z.infer<typeof surveyVersion>>
export type SurveyScreen = z.infer<typeof screen>
export type EndCard = z.infer<typeof endCard>
export type FormattedText = z.infer<typeof formatted>
export type SurveyTranslation = Unchanging<z.infer<typeof translation>>
export type SurveyPlacement = z.infer<typeof placement>
export type SurveyAppearance = z.infer<typeof appearance>
export type SurveyTargeting = Unchanging<z.infer<typeof targeting>, Filter>
export type SurveyTrigger = Unchanging<z.infer<typeof trigger>, Filter>
export type EventTrigger = Unchanging<z.infer<typeof eventTrigger>, Filter>
export type ActionTrigger = Unchanging<z.infer<typeof actionTrigger>>
export type ActionStep = z.infer<typeof actionStep>
export type SurveySchedule = z.infer<typeof schedule>

export const surveyStatuses = ['draft', 'scheduled', 'running', 'full', 'ended', 'archived'] as const
export type SurveyStatus = (typeof surveyStatuses)[number]

/** The appearance of a survey that says nothing about it. */
export const defaultAppearance = {
  backgroundColor: '#ffffff',
  textColor: '#1f2937',
  buttonColor: '#1f2937',
  buttonTextColor: '#ffffff',
  ratingColor: '#f3f4f6',
  ratingActiveColor: '#1f2937',
  borderColor: '#d1d5db',
  inputBackground: '#ffffff',
  fontFamily: 'system-ui',
  borderRadiusPx: 10,
  maxWidthPx: 360,
  position: 'right',
  progressBar: true,
} as const

export const surveyPositions = [
  'top-left',
  'top-center',
  'top-right',
  'middle-left',
  'middle-center',
  'middle-right',
  'left',
  'center',
  'right',
] as const
export type SurveyPosition = (typeof surveyPositions)[number]

export const addressMatches = [
  'contains',
  'not-contains',
  'exact',
  'not-exact',
  'regex',
  'not-regex',
] as const
export type AddressMatch = (typeof addressMatches)[number]

export const deviceTypes = ['Desktop', 'Mobile', 'Tablet', 'Console', 'Wearable'] as const
export type DeviceType = (typeof deviceTypes)[number]

export const actionMatches = ['exact', 'contains', 'regex'] as const
export type ActionMatch = (typeof actionMatches)[number]

/** A survey as members and clients of the API get it: the hash of a PIN stays inside. */
export function withoutPinHash<Part extends Pick<Survey, 'hostedPage'>>({
  hostedPage: { pinHash, ...page },
  ...survey
}: Part) {
  return { ...survey, hostedPage: { ...page, hasPin: pinHash !== undefined } }
}

/** The part of a survey that members edit, without what its record knows and without its PIN. */
export function editablePartOf({
  id: _id,
  projectId: _projectId,
  hostedPage: { pinHash: _pinHash, hasPin: _hasPin, ...hostedPage },
  version: _version,
  revision: _revision,
  startsAt: _startsAt,
  archivedAt: _archivedAt,
  createdBy: _createdBy,
  createdAt: _createdAt,
  changedBy: _changedBy,
  changedAt: _changedAt,
  ...editable
}: Omit<Survey, 'hostedPage'> & {
  hostedPage: Survey['hostedPage'] & { hasPin?: boolean }
}): EditableSurvey {
  return { ...editable, hostedPage }
}

/** Whether a survey with this many submissions takes new ones. `SubmissionCounts` knows how many there are. */
export function statusAt(
  {
    archivedAt,
    endsAt,
    startsAt,
    responseLimit,
  }: Pick<Survey, 'archivedAt' | 'endsAt' | 'startsAt' | 'responseLimit'>,
  now: Date,
  submissions: number,
): SurveyStatus {
  if (archivedAt) return 'archived'
  if (!startsAt) return 'draft'
  if (endsAt && endsAt <= now) return 'ended'
  if (startsAt > now) return 'scheduled'
  return responseLimit !== undefined && submissions >= responseLimit ? 'full' : 'running'
}

const dayMs = 86_400_000

/** The running iteration of a recurring survey, counted from 1; undefined for other schedules and after the last one. */
export function iterationAt(
  { schedule, startsAt }: Pick<Survey, 'schedule' | 'startsAt'>,
  now: Date,
): { number: number; startedAt: Date } | undefined {
  if (schedule.kind !== 'recurring' || !startsAt || startsAt > now) return undefined
  const lengthMs = schedule.everyDays * dayMs
  const index = Math.floor((now.getTime() - startsAt.getTime()) / lengthMs)
  if (index >= schedule.iterations) return undefined
  return { number: index + 1, startedAt: new Date(startsAt.getTime() + index * lengthMs) }
}
