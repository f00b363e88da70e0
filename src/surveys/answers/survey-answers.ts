import type { z } from 'zod'
import { networkOf } from '#projects/origin'
import { newId } from '#projects/secrets'
import type { World } from '#world/world'
import type { FormattedText } from '../survey'
import type { PublicContent, PublicSurvey } from '../run/public-survey'
import { sanitizeHtml } from '../sanitize-html'
import {
  iterationAt,
  statusOf,
  type Survey,
  type SurveyContent,
  type SurveyStatus,
  type SurveyVersion,
} from '../survey'
import { languageFor, translated } from '../translate'
import { provesPin } from './pin-proof'
import { checkSubmission, type AnswerEvent, surveySubmission } from './submission'

interface SurveyAnswersDependencies {
  published: {
    surveysOf(projectId: number): readonly Survey[]
    find(projectId: number, id: string): Survey | undefined
    versionsOf(projectId: number, id: string): readonly Pick<SurveyVersion, 'version' | 'content'>[]
  }
  world: World
  /** Submissions so far, for surveys with a limit. */
  responsesOf: (survey: Survey) => number
  /** Whether answers of this submission were taken before; a full survey takes the rest of them. */
  hasBegun: (survey: Survey, submission: string) => boolean
  /** The key of the flag that holds the survey's conditions on the person; undefined for a survey without any. */
  targetingFlagOf: (survey: Survey) => string | undefined
  /** Whether this network may send another answer. */
  mayAnswer: (network: string) => boolean
}

export type AnswerRefusal = 'no-access' | 'unknown' | 'closed' | 'full' | 'invalid' | 'too-often'

export type AnswerOutcome =
  | { taken: true; event: AnswerEvent; survey: Survey; content: SurveyContent; card: string | undefined }
  | {
      taken: false
      reason: AnswerRefusal
      /** A sentence for the person who answers. */
      problem: string
      problems: Readonly<Record<string, string>>
    }

const closedSentences: Record<Exclude<SurveyStatus, 'running'>, string> = {
  draft: 'This survey does not take answers yet.',
  scheduled: 'This survey does not take answers yet.',
  full: 'This survey has all the answers it asked for. Thank you for wanting to help.',
  ended: 'This survey has ended. Thank you for wanting to help.',
  archived: 'This survey has ended. Thank you for wanting to help.',
}

const refuse = (
  reason: AnswerRefusal,
  problem: string,
  problems: Readonly<Record<string, string>> = {},
): AnswerOutcome => ({ taken: false, reason, problem, problems })

/** Takes answers from every place of ours: pages, forms, the hosted page and apps. */
export class SurveyAnswers {
  private readonly contents = new WeakMap<SurveyContent, Map<string, PublicContent>>()

  constructor(private readonly dependencies: SurveyAnswersDependencies) {}

  find(projectId: number, id: string): Survey | undefined {
    return this.dependencies.published.find(projectId, id)
  }

  status(survey: Survey): SurveyStatus {
    const { world, responsesOf } = this.dependencies
    return statusOf(survey, world.now(), responsesOf(survey))
  }

  /** Why the survey takes no answers of this submission, or no new one; undefined while it does. */
  closedSentence(survey: Survey, submission = ''): string | undefined {
    const status = this.statusFor(survey, submission)
    return status === 'running' ? undefined : closedSentences[status]
  }

  private statusFor(survey: Survey, submission: string): SurveyStatus {
    const status = this.status(survey)
    return status === 'full' && this.dependencies.hasBegun(survey, submission) ? 'running' : status
  }

  /** The running surveys of a project; those without questions are left out. */
  runningSurveys(projectId: number): Survey[] {
    return this.dependencies.published
      .surveysOf(projectId)
      .filter((survey) => survey.content.questions.length > 0 && this.status(survey) === 'running')
      .filter((survey) => this.canDecide(survey))
  }

  /** Conditions on the person are decided by a flag alone; without it the survey would be shown to everyone. */
  private canDecide(survey: Survey): boolean {
    const { person, percentage } = survey.targeting
    const isFree = person === undefined && (percentage === undefined || percentage >= 100)
    return isFree || this.dependencies.targetingFlagOf(survey) !== undefined
  }

  /** Whether a page has a reason to ask for surveys. */
  hasSurveysForPages(projectId: number): boolean {
    return this.runningSurveys(projectId).some(({ placement }) => pagePlacements.has(placement.kind))
  }

  /** The flags that decide whether a person sees the survey. */
  flagsOf(survey: Survey): { key: string; variant?: string | undefined }[] {
    const { flag } = survey.targeting
    const targetingFlag = this.dependencies.targetingFlagOf(survey)
    return [...(flag ? [flag] : []), ...(targetingFlag === undefined ? [] : [{ key: targetingFlag }])]
  }

  /** A survey as anyone may know it, in the first language of these that it has. */
  publicSurvey(survey: Survey, languages: readonly string[]): PublicSurvey {
    const { id, name, version, placement, schedule } = survey
    const language = languageFor(survey.content, languages)
    const { translations } = survey.content
    const content = this.publicContent(survey.content, language)
    const { person: _person, percentage: _percentage, flag: _flag, ...targeting } = survey.targeting
    const iteration = iterationAt(survey, this.dependencies.world.now())
    return {
      id,
      name: (language && translations[language]?.name) || name,
      version,
      language,
      languages: Object.keys(translations),
      content,
      placement,
      targeting,
      iteration: iteration && { ...iteration, startedAt: iteration.startedAt.toISOString() },
      isRepeatable: schedule.kind === 'always',
    }
  }

  /** Cleaning HTML takes long, and a survey is sent with every page. */
  private publicContent(content: SurveyContent, language: string | undefined): PublicContent {
    const known = this.contents.get(content) ?? new Map<string, PublicContent>()
    this.contents.set(content, known)
    const made = known.get(language ?? '') ?? cleaned(translated(content, language))
    known.set(language ?? '', made)
    return made
  }

  /** Checks what was sent and makes its event; the caller sends it through the ordinary ingest. */
  take(projectId: number, id: string, input: unknown, sender: { address: string }): AnswerOutcome {
    const { published, world, mayAnswer } = this.dependencies
    const survey = published.find(projectId, id)
    if (!survey) return refuse('unknown', 'There is no such survey.')
    const { success, data, error } = surveySubmission.safeParse(input)
    const status = this.statusFor(survey, data?.submissionId ?? '')
    if (status !== 'running') return refuse(status === 'full' ? 'full' : 'closed', closedSentences[status])
    if (!success) return refuse('invalid', 'Something is to be corrected.', problemsOf(error))
    const objection = accessObjection(survey, data.proof, world.now())
    if (objection !== undefined) return refuse('no-access', objection)
    if (!mayAnswer(networkOf(sender.address)))
      return refuse('too-often', 'Too many answers came from your network. Wait some minutes.')
    const version = published.versionsOf(projectId, id).find((one) => one.version === data.version)
    const content = version?.content ?? survey.content
    const checked = checkSubmission(data, {
      survey,
      content,
      version: version?.version ?? survey.version,
      now: world.now(),
      newId: () => newId(world),
    })
    if (!checked.isRight) return refuse('invalid', 'Something is to be corrected.', checked.problems)
    return { taken: true, event: checked.event, survey, content, card: checked.card }
  }
}

/** Why a survey that has only its own page takes no answers of this sender, who would not get to see that page either. */
function accessObjection(
  { id, placement, hostedPage: { isOpen, needsLink, pinHash } }: Survey,
  proof: string | undefined,
  now: Date,
): string | undefined {
  if (placement.kind !== 'hosted') return undefined
  if (!isOpen) return 'The page of this survey is closed.'
  if (needsLink) return 'This survey takes answers by personal links only.'
  const isProven = pinHash === undefined || provesPin(proof, pinHash, id, now)
  return isProven ? undefined : 'Open the page of this survey and enter its PIN.'
}

const cleanText = (text: FormattedText): FormattedText =>
  text.format === 'html' ? { ...text, text: sanitizeHtml(text.text) } : text

const cleanTexts = <Texts extends { description: FormattedText }>(texts: Texts): Texts => ({
  ...texts,
  description: cleanText(texts.description),
})

/** HTML is cleaned on its way out too, whatever wrote it to the store. */
function cleaned({ translations: _, ...content }: SurveyContent): PublicContent {
  return {
    ...content,
    intro: content.intro && cleanTexts(content.intro),
    endCards: content.endCards.map(cleanTexts),
    questions: content.questions.map(cleanTexts),
  }
}

const pagePlacements = new Set(['popover', 'tab', 'selector'])

/** By the question or the field. */
const problemsOf = (error: z.ZodError): Record<string, string> =>
  Object.fromEntries(
    error.issues.map(({ path, message }) => [
      path[0] === 'answers' && path.length > 1 ? String(path[1]) : path.join('.'),
      message,
    ]),
  )
