import type { MailRecipient } from '#alerts/recipient'
import type { Filter, PropertyCondition } from '#filters/filter'
import type { Question, QuestionTranslation } from './question'

/** A survey of a project: its questions, and who sees them, when and where. */
export interface Survey {
  /** Letters, digits and hyphens: posthog-js makes a CSS class of it. */
  id: string
  projectId: number
  name: string
  /** A note for members. It is never sent to a visitor. */
  description: string
  content: SurveyContent
  /** Counts the changes of `content` since the launch; answers are read against the version of their time. */
  version: number
  /** Counts every change of the survey. A change that is based on an older one is refused. */
  revision: number
  placement: SurveyPlacement
  hostedPage: HostedPage
  targeting: SurveyTargeting
  schedule: SurveySchedule
  /** Closes the survey for new submissions. */
  responseLimit: number | undefined
  /** Who gets each response by e-mail. */
  notify: readonly MailRecipient[]
  /** Set by the launch; may lie in the future. */
  startsAt: Date | undefined
  endsAt: Date | undefined
  archivedAt: Date | undefined
  createdBy: string
  createdAt: Date
  changedBy: string
  changedAt: Date
}

export const surveyStatuses = ['draft', 'scheduled', 'running', 'full', 'ended', 'archived'] as const
export type SurveyStatus = (typeof surveyStatuses)[number]

/** Everything that a person reads and answers. A change after the launch makes a new version. */
export interface SurveyContent {
  questions: readonly Question[]
  appearance: SurveyAppearance
  /** Shown before the first question. */
  intro: SurveyScreen | undefined
  /** Shown after the last question; a branch may name one by its id, the first is the default. */
  endCards: readonly EndCard[]
  /** Every answer is sent at once, not only a complete submission. */
  sendsPartialAnswers: boolean
  allowsGoingBack: boolean
  shufflesQuestions: boolean
  /** Properties taken from the address of a hosted page or given by the caller, and stored with the answers. */
  hiddenFields: readonly string[]
  /** By language tag, as in `de` or `pt-BR`. */
  translations: Readonly<Record<string, SurveyTranslation>>
}

/** One version of a survey's content, in force from `createdAt` until the next one. */
export interface SurveyVersion {
  surveyId: string
  version: number
  content: SurveyContent
  createdBy: string
  createdAt: Date
}

export interface SurveyScreen {
  header: string
  description: FormattedText
  buttonText: string
}

export interface EndCard extends SurveyScreen {
  id: string
  /** The button leads here; https only. */
  link: string
  /** The survey's page and a survey in a page or post lead there by themselves. */
  redirects?: boolean | undefined
}

/** Text that a member wrote. HTML is sanitised whenever it is stored, imported and sent. */
export interface FormattedText {
  format: 'text' | 'html'
  text: string
}

export interface SurveyTranslation {
  name?: string
  intro?: Partial<Record<keyof SurveyScreen, string>>
  endCards?: Readonly<Record<string, Partial<Record<keyof SurveyScreen, string>>>>
  /** By the id of the question. */
  questions?: Readonly<Record<string, QuestionTranslation>>
}

/** How the survey meets people on a site or in a product. */
export type SurveyPlacement =
  | { kind: 'popover' }
  | { kind: 'tab'; label: string; color: string }
  | { kind: 'selector'; selector: string }
  /** In a page or post, where its block or `renderSurvey` puts it. */
  | { kind: 'inline' }
  /** Only at its own address and in letters. */
  | { kind: 'hosted' }
  /** The product's own interface fetches the definition and sends the answers. */
  | { kind: 'api' }

/** The survey's own address. Every survey may have one beside its placement. */
interface HostedPage {
  isOpen: boolean
  /** Only links made for one recipient each are accepted. */
  needsLink: boolean
  /** Made by `hashPassword` and checked by `isPassword` of `projects/passwords`; never sent. */
  pinHash: string | undefined
  mayBeEmbedded: boolean
}

export interface SurveyAppearance {
  backgroundColor: string
  textColor: string
  buttonColor: string
  buttonTextColor: string
  ratingColor: string
  ratingActiveColor: string
  borderColor: string
  inputBackground: string
  fontFamily: string
  borderRadiusPx: number
  maxWidthPx: number
  position: SurveyPosition
  progressBar: boolean
  /** Rules for our own widget, hosted pages and inline surveys; scoped to the survey. */
  css: string
}

/** The appearance of a survey that says nothing about it. */
export const defaultAppearance: SurveyAppearance = {
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
  css: '',
}

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

/** Who sees the survey, and when. Every condition that is present must hold. */
export interface SurveyTargeting {
  url?: { match: AddressMatch; value: string }
  /** An element that must be on the page. */
  selector?: string
  deviceTypes?: readonly DeviceType[]
  /** Language tags; a base language includes its regions. */
  languages?: readonly string[]
  screenWidth?: { from?: number; until?: number }
  /** A flag that must be on, or have this variant. */
  flag?: { key: string; variant?: string }
  /** Conditions on the person, their groups and cohorts. Kept as a flag. */
  person?: Filter
  /** Percentage of persons, from 0 to 100. Kept in the same flag. */
  percentage?: number
  /** Days since the person last saw any survey. */
  waitDays?: number
  /** The survey appears after one of these. */
  triggers?: readonly SurveyTrigger[]
  /** The survey appears after every trigger, not only after the first. */
  repeatsOnTrigger?: boolean
  /** Events that stop a survey which waits for its delay. */
  cancelEvents?: readonly EventTrigger[]
  delaySeconds?: number
  /** Percentage of the page's height. */
  scrollPercent?: number
  exitIntent?: boolean
}

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

export type SurveyTrigger = EventTrigger | ActionTrigger

export interface EventTrigger {
  kind: 'event'
  event: string
  /** Conditions on the properties of that event; all must hold. */
  properties: readonly PropertyCondition[]
}

/** A named interaction, recognised in autocaptured events by any of its steps. */
export interface ActionTrigger {
  kind: 'action'
  name: string
  steps: readonly ActionStep[]
}

export interface ActionStep {
  event?: string
  selector?: string
  text?: { match: ActionMatch; value: string }
  href?: { match: ActionMatch; value: string }
  url?: { match: ActionMatch; value: string }
}
export type ActionMatch = 'exact' | 'contains' | 'regex'

export type SurveySchedule =
  | { kind: 'once' }
  /** The same person may answer once in each iteration. */
  | { kind: 'recurring'; iterations: number; everyDays: number }
  /** Shown again after every answer, as a feedback form is. */
  | { kind: 'always' }

/** A survey as members and clients of the API get it: the hash of a PIN stays inside. */
export function withoutPinHash<Part extends Pick<Survey, 'hostedPage'>>({
  hostedPage: { pinHash, ...page },
  ...survey
}: Part) {
  return { ...survey, hostedPage: { ...page, hasPin: pinHash !== undefined } }
}

/** Whether the survey takes new submissions at this moment; `answers` counts submissions so far. */
export function statusOf(
  {
    archivedAt,
    endsAt,
    startsAt,
    responseLimit,
  }: Pick<Survey, 'archivedAt' | 'endsAt' | 'startsAt' | 'responseLimit'>,
  now: Date,
  answers: number,
): SurveyStatus {
  if (archivedAt) return 'archived'
  if (!startsAt) return 'draft'
  if (endsAt && endsAt <= now) return 'ended'
  if (startsAt > now) return 'scheduled'
  return responseLimit !== undefined && answers >= responseLimit ? 'full' : 'running'
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
