import { LRUCache } from 'lru-cache'
import type { DropReason, Json, Properties } from '#events/event'
import type { AnswerEventRow } from '../webhooks/internal/answer-message'
import { answerKinds } from '../kinds/internal/answer-kinds'
import type { SurveyQuestion } from '../question'
import { questionOf, responsePrefix } from './response-names'
import type { SubmissionCounts } from './submission-counts'
import type { Survey, SurveyVersion } from '../survey'

/** An event about a survey, as a client sent it. */
interface SurveyEvent {
  projectId: number
  name: string
  /** When it happened, as the client says. */
  at: Date
  receivedAt: Date
  properties: Properties
  /** Imported data, by a member or with a secret key: it may be older than the survey. */
  isHistorical: boolean
  /** Checked by our own pages and endpoint, or brought by an import of a member’s. */
  isTrusted: boolean
}

export interface SurveyEventCheckDependencies {
  find(projectId: number, id: string): Survey | undefined
  versionsOf(projectId: number, id: string): readonly SurveyVersion[]
  counts: Pick<SubmissionCounts, 'submissionsOf' | 'hasBegun' | 'note' | 'saved'>
  deliveries: { add(events: readonly AnswerEventRow[]): Promise<void> }
}

type EventObjection = Extract<
  DropReason,
  'unknown-survey' | 'survey-page-only' | 'survey-closed' | 'invalid-answer' | 'too-many-answers'
>

/** Someone who has a survey open when it ends may finish it. Also how far clocks may differ at its start. */
const graceMs = 3_600_000
/**
 * SDKs keep events while a device is offline. Anyone may date an event back with the write key, so it must also arrive
 * within this time after the end.
 */
const arrivesWithinMs = 24 * 3_600_000
/** A survey that branches back sends partial answers for as long as its page is open. */
const mostEventsPerSubmission = 200
/** Uses no `max`, with which the cache would take all its memory at once. */
const rememberedSubmissions = { maxSize: 50_000, sizeCalculation: () => 1 }

/** Decides whether an event about a survey belongs among its results. */
export class SurveyEventCheck {
  private readonly eventsBySubmission = new LRUCache<string, number>(rememberedSubmissions)

  constructor(private readonly dependencies: SurveyEventCheckDependencies) {}

  objectionTo(event: SurveyEvent): EventObjection | undefined {
    const { projectId, properties } = event
    const id = properties['$survey_id']
    const survey = typeof id === 'string' ? this.dependencies.find(projectId, id) : undefined
    if (!survey) return 'unknown-survey'
    // anyone may have the write key; a page of a survey asks for what protects it
    if (survey.placement.kind === 'hosted' && !event.isTrusted) return 'survey-page-only'
    // a member tries the survey, whatever its status
    const isTest = event.isTrusted && properties['$survey_test'] === true
    if (!isTest && !event.isHistorical && !wasOpenFor(survey, event)) return 'survey-closed'
    if (!this.areAnswersValid(survey, event)) return 'invalid-answer'
    return isTest ? undefined : this.countSubmission(survey, event)
  }

  /** Whether an event of this submission was taken before, so that it may be finished when the survey is full. */
  hasBegun(survey: Pick<Survey, 'projectId' | 'id'>, submission: string): boolean {
    if (submission === '') return false
    const isKnown = this.eventsBySubmission.has(submissionKey(survey, submission))
    return isKnown || this.dependencies.counts.hasBegun(survey, submission)
  }

  /**
   * Resolves once the store knows the submissions that began, and the responses to send, so that other processes
   * and the next start do too.
   */
  async saved(answers: readonly AnswerEventRow[]): Promise<void> {
    const { counts, deliveries } = this.dependencies
    await counts.saved()
    await deliveries.add(answers)
  }

  private areAnswersValid(survey: Survey, { projectId, properties }: SurveyEvent): boolean {
    const answers = Object.keys(properties).filter((name) => name.startsWith(responsePrefix))
    if (answers.length === 0) return true
    const versions = this.dependencies
      .versionsOf(projectId, survey.id)
      .map(({ content }) => content.questions)
    // a page that was opened before the latest change still shows an older version
    const contents = [survey.content.questions, ...versions]
    return answers.every((name) => {
      const asked = contents.flatMap((questions) => questionOf(name, questions) ?? [])
      const answer = properties[name] ?? ''
      return asked.length === 0 || asked.some((question) => isOfKind(question, answer))
    })
  }

  /** Only the first event of a submission needs the survey to have room. */
  private countSubmission(survey: Survey, { name, properties }: SurveyEvent): EventObjection | undefined {
    const given = properties['$survey_submission_id']
    const submission = typeof given === 'string' ? given : ''
    const key = submissionKey(survey, submission)
    const known = submission === '' ? 0 : (this.eventsBySubmission.get(key) ?? 0)
    if (known >= mostEventsPerSubmission) return 'too-many-answers'
    if (name === 'survey sent' && known === 0) {
      const { counts } = this.dependencies
      const { responseLimit = Infinity } = survey
      const isFull = counts.submissionsOf(survey) >= responseLimit
      if (isFull && !counts.hasBegun(survey, submission)) return 'survey-closed'
      counts.note(survey, submission)
    }
    if (submission !== '') this.eventsBySubmission.set(key, known + 1)
    return undefined
  }
}

const submissionKey = ({ projectId, id }: Pick<Survey, 'projectId' | 'id'>, submission: string): string =>
  `${projectId} ${id} ${submission}`

function wasOpenFor(
  { startsAt, endsAt, archivedAt }: Survey,
  { at, receivedAt }: Pick<SurveyEvent, 'at' | 'receivedAt'>,
): boolean {
  const time = at.getTime()
  const isOver = [endsAt, archivedAt].some(
    (end) =>
      end && (end.getTime() + graceMs < time || end.getTime() + arrivesWithinMs < receivedAt.getTime()),
  )
  return startsAt !== undefined && startsAt.getTime() - graceMs <= time && !isOver
}

const isOfKind = (question: SurveyQuestion, answer: Json): boolean =>
  answer === '' || answerKinds[question.kind].accepts(answer, question)
