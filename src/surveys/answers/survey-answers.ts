import { createHash, timingSafeEqual } from 'node:crypto'
import type { z } from 'zod'
import { networkOf } from '#projects/origin'
import { newId } from '#projects/secrets'
import type { World } from '#world/world'
import { contains } from '../run/eligibility'
import type { PublicContent, PublicSurvey } from '../run/public-survey'
import { sanitizedContent } from '../sanitize-html'
import {
  iterationAt,
  type Survey,
  type SurveyContent,
  type SurveyStatus,
  type SurveyVersion,
} from '../survey'
import { type SurveyWords, wordsFor } from '../run/words'
import { languageFor, translated } from '../translate'
import type { LinkCheck, LinkClaims } from '../links/internal/link-claims'
import type { SurveyLink } from '../links/survey-link'
import { readAccessProof } from './access-proof'
import { provesPin } from './pin-proof'
import {
  checkSubmission,
  type AnswerEvent,
  type IdentifiedSubmission,
  type SurveySubmission,
  surveySubmission,
} from './submission'

interface SurveyAnswersDependencies {
  published: {
    surveysOf(projectId: number): readonly Survey[]
    find(projectId: number, id: string): Survey | undefined
    versionsOf(projectId: number, id: string): readonly Pick<SurveyVersion, 'version' | 'content'>[]
  }
  world: World
  statusOf: (survey: Survey) => SurveyStatus
  /** Whether answers of this submission were taken before; a full survey takes the rest of them. */
  hasBegun: (survey: Survey, submission: string) => boolean
  /** The key of the flag that holds the survey's conditions on the person; undefined for a survey without any. */
  targetingFlagOf: (survey: Survey) => string | undefined
  /** Whether this network may send the survey another answer; by the survey's id and the network. */
  mayAnswer: (sender: string) => boolean
  links: Pick<LinkClaims, 'check' | 'claim' | 'reopen'>
  /** Computes a digest with the key of this installation. */
  digest: (text: string) => string
}

export type AnswerRefusal = 'no-access' | 'unknown' | 'closed' | 'full' | 'invalid' | 'too-often'

export type AnswerOutcome =
  | {
      taken: true
      event: AnswerEvent
      survey: Survey
      content: SurveyContent
      card: string | undefined
      /** The distinct id of the person that a link was made for. */
      person: string | undefined
      /** Gives the place back. It is called if the event could not be recorded. */
      giveBack: () => Promise<void>
    }
  | {
      taken: false
      reason: AnswerRefusal
      /** A sentence for the person who answers. */
      problem: string
      problems: Readonly<Record<string, string>>
    }

/** A page may stay open for a day before it is answered. */
const pageProofMs = 86_400_000

const closedWords = {
  draft: 'notYet',
  scheduled: 'notYet',
  full: 'full',
  ended: 'ended',
  archived: 'ended',
} as const

const refuse = (
  reason: AnswerRefusal,
  problem: string,
  problems: Readonly<Record<string, string>> = {},
): AnswerOutcome => ({ taken: false, reason, problem, problems })

/** The sender of answers. */
interface AnswerSender {
  /** The IP address. */
  address: string
  /** The language of refusals; English by default. */
  language?: string | undefined
}

/** The limit by survey and network: a whole school may answer within minutes, each question on its own. */
export const answerRateLimit = { limit: 300, windowMs: 600_000 }

/** Takes answers from every place of ours: pages, forms, the hosted page and apps. */
export class SurveyAnswers {
  private readonly contents = new WeakMap<SurveyContent, Map<string, PublicContent>>()

  constructor(private readonly dependencies: SurveyAnswersDependencies) {}

  /** Signs what a page carries between its forms. */
  signature(text: string): string {
    return this.dependencies.digest(`survey page ${text}`)
  }

  /** The key that makes answers of the survey's page a test; members have it. */
  testKeyOf({ id }: Pick<Survey, 'id'>): string {
    return this.signature(`test ${id}`).slice(0, 32)
  }

  /** Shows that the survey's page was opened: the write key alone answers no survey that has nothing but its page. */
  proofOfPage({ id }: Pick<Survey, 'id'>): string {
    const until = String(this.dependencies.world.now().getTime() + pageProofMs)
    return `${until}.${this.signature(`opened ${id} ${until}`)}`
  }

  private provesPage({ id }: Pick<Survey, 'id'>, proof = ''): boolean {
    const [until = '', signature = ''] = proof.split('.')
    const [given, wanted] = [Buffer.from(signature), Buffer.from(this.signature(`opened ${id} ${until}`))]
    const isOurs = given.length === wanted.length && timingSafeEqual(given, wanted)
    return isOurs && Number(until) > this.dependencies.world.now().getTime()
  }

  isTestKey(survey: Pick<Survey, 'id'>, key: string | undefined): boolean {
    const [given, wanted] = [Buffer.from(key ?? ''), Buffer.from(this.testKeyOf(survey))]
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  }

  /** The one submission of a person who may answer the survey once, however often they open their link. */
  submissionOf(survey: Survey, person: string): string | undefined {
    if (survey.schedule.kind === 'always') return undefined
    const iteration = iterationAt(survey, this.dependencies.world.now())?.number ?? 0
    const text = this.signature(`submission ${survey.id} ${iteration} ${person}`)
    return uuidOf(createHash('sha256').update(text).digest('hex'))
  }

  /** Reads a link of the survey's page without using it. */
  async checkLink(survey: Survey, token: string): Promise<LinkCheck> {
    return await this.dependencies.links.check(survey, token)
  }

  find(projectId: number, id: string): Survey | undefined {
    return this.dependencies.published.find(projectId, id)
  }

  status(survey: Survey): SurveyStatus {
    return this.dependencies.statusOf(survey)
  }

  /** Why the survey takes no answers of this submission, or no new one; undefined while it does. */
  closedSentence(survey: Survey, submission = '', language = ''): string | undefined {
    const status = this.statusFor(survey, submission)
    return status === 'running' ? undefined : wordsFor(language)[closedWords[status]]
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

  /** Whether a page has a reason to ask for surveys; every page, without an address. */
  hasSurveysForPages(projectId: number, url?: string): boolean {
    return this.runningSurveys(projectId).some(
      (survey) => pagePlacements.has(survey.placement.kind) && mayBeDueAt(survey, url),
    )
  }

  /** The flags that decide whether a person sees the survey. */
  flagsOf(survey: Survey): { key: string; variant?: string | undefined }[] {
    const { flag } = survey.targeting
    const targetingFlag = this.dependencies.targetingFlagOf(survey)
    return [...(flag ? [flag] : []), ...(targetingFlag === undefined ? [] : [{ key: targetingFlag }])]
  }

  /** Whether the flags let a person see the survey; `valueOf` decides them. */
  isFor(survey: Survey, valueOf: (key: string) => unknown): boolean {
    return this.flagsOf(survey).every(({ key, variant }) => {
      const value = valueOf(key) ?? false
      return variant === undefined ? value !== false : value === variant
    })
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
      isRepeatable: schedule.kind === 'always' || isAskedEveryTime(targeting),
    }
  }

  /** HTML is sanitized on its way out, whatever wrote it to the store. That takes long, and a survey is sent with every page. */
  private publicContent(content: SurveyContent, language: string | undefined): PublicContent {
    const known = this.contents.get(content) ?? new Map<string, PublicContent>()
    this.contents.set(content, known)
    const made = known.get(language ?? '') ?? sanitizedContent(translated(content, language))
    known.set(language ?? '', made)
    return made
  }

  /** Checks what was sent and makes its event; the caller sends it through the ordinary ingest. */
  async take(projectId: number, id: string, input: unknown, sender: AnswerSender): Promise<AnswerOutcome> {
    const survey = this.dependencies.published.find(projectId, id)
    if (!survey) return refuse('unknown', 'There is no such survey.')
    const { success, data, error } = surveySubmission.safeParse(input)
    const words = wordsFor(data?.language ?? sender.language ?? '')
    const isTest = this.isTestKey(survey, readAccessProof(data?.proof).test)
    const status = isTest ? 'running' : this.statusFor(survey, data?.submissionId ?? '')
    if (status !== 'running') return refuse(status === 'full' ? 'full' : 'closed', words[closedWords[status]])
    if (!success) return refuse('invalid', 'Some answers are not valid.', problemsOf(error))
    return await this.takeParsed(survey, { ...data, isTest }, { ...sender, words })
  }

  private async takeParsed(
    survey: Survey,
    submission: SurveySubmission & { isTest: boolean },
    { address, words }: AnswerSender & { words: SurveyWords },
  ): Promise<AnswerOutcome> {
    const { world, mayAnswer } = this.dependencies
    const { isTest, proof } = submission
    const access = isTest ? { link: undefined } : await this.accessOf(survey, proof, words)
    if ('problem' in access) return refuse('no-access', access.problem)
    if (!mayAnswer(`${survey.id} ${networkOf(address)}`)) return refuse('too-often', words.tooOften)
    const submissionId = access.link?.submissionId ?? submission.submissionId ?? newId(world)
    return await this.takeChecked(survey, { ...submission, submissionId }, access.link, words)
  }

  private async takeChecked(
    survey: Survey,
    submission: IdentifiedSubmission,
    link: SurveyLink | undefined,
    words: SurveyWords,
  ): Promise<AnswerOutcome> {
    const { published, world, links } = this.dependencies
    const versions = published.versionsOf(survey.projectId, survey.id)
    const { content, version } = versions.find((one) => one.version === submission.version) ?? survey
    const checked = checkSubmission(submission, { survey, content, version, now: world.now() })
    if (!checked.isRight) return refuse('invalid', 'Some answers are not valid.', checked.problems)
    const used = link && (await this.use(link, submission))
    if (used !== undefined) return refuse('no-access', words[used])
    const { event, card } = checked
    const giveBack = async (): Promise<void> => {
      if (link) await links.reopen(link, submission.submissionId)
    }
    return { taken: true, event, survey, content, card, person: link?.distinctId, giveBack }
  }

  /** Uses a link for answers. That the survey was seen or closed uses none. */
  private async use(
    link: SurveyLink,
    { event, submissionId, isComplete }: SurveySubmission & { submissionId: string },
  ): ReturnType<LinkClaims['claim']> {
    if (event !== 'answers') return undefined
    return await this.dependencies.links.claim(link, { submission: submissionId, isComplete })
  }

  /** The link of the sender, if there is one, or why the survey takes no answers of this sender. */
  private async accessOf(
    survey: Survey,
    proof: string | undefined,
    words: SurveyWords,
  ): Promise<{ link: SurveyLink | undefined } | { problem: string }> {
    const { page, pin, link: token } = readAccessProof(proof)
    const check = token === undefined ? undefined : await this.checkLink(survey, token)
    if (check?.isUsable === false) return { problem: words[check.problem] }
    const shown = { pin, link: check?.link, hasPage: this.provesPage(survey, page), words }
    const problem = accessObjection(survey, shown, this.dependencies.world.now())
    return problem === undefined ? { link: check?.link } : { problem }
  }
}

/** The proofs that a sender has shown for a survey's page. */
interface ShownAccess {
  pin: string | undefined
  link: SurveyLink | undefined
  /** Whether the page was opened. */
  hasPage: boolean
  /** The words of a refusal. */
  words: SurveyWords
}

/** Why a survey takes no answers of this sender, who would not get to see its page either. */
function accessObjection(
  { id, placement, hostedPage: { isOpen, needsLink, pinHash } }: Survey,
  { pin, link, hasPage, words }: ShownAccess,
  now: Date,
): string | undefined {
  // settings of a page that is closed mean nothing to other places
  if (!isOpen) return placement.kind === 'hosted' ? 'The page of this survey is closed.' : undefined
  if (needsLink && !link) return `${words.linkNeeded}.`
  if (pinHash !== undefined) return provesPin(pin, pinHash, id, now) ? undefined : `${words.pinNeeded}.`
  return placement.kind !== 'hosted' || link || hasPage ? undefined : words.openAgain
}

/** A UUID of the version for other uses (RFC 9562, section 5.8). */
const uuidOf = (hex: string): string =>
  [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')

const isAskedEveryTime = ({ repeatsOnTrigger, triggers }: PublicSurvey['targeting']): boolean =>
  repeatsOnTrigger === true && (triggers?.length ?? 0) > 0

/**
 * Whether a survey may become due while the page stays at this path. A page may change the query and the fragment of its
 * address without an event, and what triggers a survey may happen before its page.
 */
function mayBeDueAt({ targeting: { url: wanted, triggers } }: Survey, url: string | undefined): boolean {
  const isPath = wanted?.match === 'contains' && /^\/[^?#]*$/.test(wanted.value)
  return url === undefined || !isPath || (triggers?.length ?? 0) > 0 || contains(url, wanted.value)
}

const pagePlacements = new Set(['popover', 'tab', 'selector'])

/** Returns problems by the question or the field. */
const problemsOf = (error: z.ZodError): Record<string, string> =>
  Object.fromEntries(
    error.issues.map(({ path, message }) => [
      path[0] === 'answers' && path.length > 1 ? String(path[1]) : path.join('.'),
      message,
    ]),
  )
