import { isDeepStrictEqual } from 'node:util'
import type { DeliveryObstacle } from '#alerts/contacts/contacts'
import { type DeliveryReport, deliveryReports } from '#alerts/deliveries/deliveries'
import { refuseOutdated } from '#collection/versions'
import { requireRight, type Viewer } from '#projects/access'
import { failedOutcome, type FailedOutcome, type Outcome, parseInput } from '#projects/problems'
import { hashPassword } from '#projects/passwords'
import { newId } from '#projects/secrets'
import type { TableSource } from '#store/store'
import { type SurveyAudience, surveyAudience } from './audience'
import { surveyLimits } from './internal/field-schemas'
import { type PosthogApiSurvey, toPosthogApi } from './posthog/internal/api-form'
import { changeFromPosthog } from './posthog/internal/change-from-posthog'
import { fromPosthog, posthogSurveyRefusal } from './posthog/from-posthog'
import { sanitizeHtml } from './sanitize-html'
import { surveysOf, surveyWithId, versionsOf } from './internal/store'
import type {
  Survey,
  SurveyAppearance,
  SurveyPlacement,
  SurveyStatus,
  SurveyTargeting,
  SurveyVersion,
} from './survey'
import {
  changeBasis,
  changedSurvey,
  launchInput,
  newSurvey,
  type NewSurvey,
  newTargeting,
  surveyChange,
} from './survey-input'
import {
  missingSurvey,
  type SurveyOutcome,
  SurveyWriter,
  type SurveyWriterDependencies,
} from './internal/survey-writer'
import { keepTargetingFlag } from './internal/targeting-flag'
import { unknownReferences } from './internal/targeting-references'
import { type SurveyTemplate, surveyTemplates } from './templates'
import { aboutResponses } from './webhooks/internal/delivery-queue'

const mostLettersShown = 20

const archived = failedOutcome('The survey is archived. Restore it first.')
const tooMany = failedOutcome(
  `A project has at most ${surveyLimits.surveys} surveys. Archive those that are over.`,
)

interface SurveysDependencies extends SurveyWriterDependencies {
  statusOf: (survey: Survey) => SurveyStatus
  /** The ids of a project's cohorts. */
  cohortIds(projectId: number): Promise<ReadonlySet<string>>
  /** The looks of new surveys, where the input names none. */
  brandOf(projectId: number): Promise<Partial<SurveyAppearance>>
}

/** The surveys of a project, for their authors. `PublishedSurveys` has them in memory for everything that runs. */
export class Surveys {
  private readonly writer: SurveyWriter

  constructor(private readonly dependencies: SurveysDependencies) {
    this.writer = new SurveyWriter(dependencies)
  }

  /** Returns surveys by age, archived ones among them. */
  async list(projectId: number, viewer: Viewer): Promise<Survey[]> {
    requireRight('surveys:read', projectId, viewer)
    return await surveysOf(this.dependencies.store, projectId)
  }

  async find(projectId: number, id: string, viewer: Viewer): Promise<Survey | undefined> {
    requireRight('surveys:read', projectId, viewer)
    return await surveyWithId(this.dependencies.store, projectId, id)
  }

  /** All versions of the survey's content, the latest first; none of an unknown survey. */
  async versions(projectId: number, id: string, viewer: Viewer): Promise<SurveyVersion[]> {
    requireRight('surveys:read', projectId, viewer)
    return (await versionsOf(this.dependencies.store, projectId, id)).toReversed()
  }

  /** Surveys to begin with; the input of one makes a survey. */
  templates(projectId: number, viewer: Viewer): readonly SurveyTemplate[] {
    requireRight('surveys:read', projectId, viewer)
    return surveyTemplates
  }

  statusOf(survey: Survey): SurveyStatus {
    return this.dependencies.statusOf(survey)
  }

  /** The recipients that e-mails about responses do not reach, each with the reason, and the latest of these e-mails. */
  async letters(
    survey: Survey,
    viewer: Viewer,
  ): Promise<{ obstacles: Map<string, DeliveryObstacle>; told: DeliveryReport[] }> {
    const { projectId, notify } = survey
    requireRight('surveys:read', projectId, viewer)
    const { store, contacts } = this.dependencies
    const about = aboutResponses(survey)
    const [obstacles, told] = await Promise.all([
      contacts.obstacles(projectId, about, notify),
      deliveryReports(store, about, mostLettersShown),
    ])
    return { obstacles, told }
  }

  posthogFormOf(survey: Survey): PosthogApiSurvey {
    return toPosthogApi(survey, this.dependencies.world.now())
  }

  /** Returns the audience of conditions that may not be saved yet, by the events of these days. */
  audience(
    projectId: number,
    input: unknown,
    days: number,
    viewer: Viewer,
  ): Outcome<{ audience: SurveyAudience }> {
    requireRight('surveys:read', projectId, viewer)
    const parsed = parseInput(newTargeting, input)
    return parsed.done ? { done: true, audience: surveyAudience(parsed.value, days) } : parsed
  }

  /** Makes a draft. */
  async create(projectId: number, input: unknown, viewer: Viewer): Promise<SurveyOutcome> {
    requireRight('surveys:write', projectId, viewer)
    const branded = withBrand(input, await this.dependencies.brandOf(projectId))
    const parsed = posthogSurveyRefusal(input) ?? parseInput(newSurvey, branded)
    if (!parsed.done) return parsed
    const { hostedPage, placement } = parsed.value
    const isProtected = hostedPage.needsLink || typeof hostedPage.pin === 'string'
    const objection =
      protectionObjection(placement, hostedPage.isOpen, isProtected) ??
      (await this.unknownIn(this.dependencies.store, projectId, parsed.value.targeting))
    if (objection) return objection
    const pinHash = await pinHashOf(parsed.value.hostedPage.pin)
    return await this.add(projectId, viewer, () => ({
      done: true,
      draft: this.draft(projectId, parsed.value, pinHash, viewer),
    }))
  }

  /**
   * Makes a draft of a survey in PostHog's form, under its own id. `notKept` says what Tilth has no place for; a survey
   * that would be shown to others than in PostHog is refused if `keepsConditions`.
   */
  async importFrom(
    projectId: number,
    json: unknown,
    id: string | undefined,
    viewer: Viewer,
    { keepsConditions = false }: { keepsConditions?: boolean } = {},
  ): Promise<Outcome<{ survey: Survey; notKept: readonly string[] }>> {
    requireRight('surveys:write', projectId, viewer)
    const read = fromPosthog(json, { sanitize: sanitizeHtml })
    if (!read.done) return read
    const [lost] = read.value.conditionsNotKept
    if (keepsConditions && lost !== undefined) return failedOutcome(lost, 'conditions')
    const outcome = await this.create(projectId, { ...read.value.survey, id }, viewer)
    return outcome.done ? { ...outcome, notKept: read.value.notKept } : outcome
  }

  /** Fields that are absent stay unchanged. A change of another revision than the latest is refused. */
  async change(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<SurveyOutcome> {
    requireRight('surveys:write', projectId, viewer)
    const given = posthogSurveyRefusal(input) ?? parseInput(changeBasis, input)
    if (!given.done) return given
    const pinGiven = given.value.hostedPage?.pin
    const pinHash = await pinHashOf(typeof pinGiven === 'string' ? pinGiven : undefined)
    return await this.writer.edit(projectId, id, viewer, async (before, transaction) => {
      if (before.archivedAt) return archived
      const outdated = await refuseOutdatedSurvey(before, given.value.revision)
      if (outdated) return outdated
      const change = parseInput(surveyChange, input)
      if (!change.done) return change
      const parsed = parseInput(newSurvey, changedSurvey(before, change.value))
      if (!parsed.done) return parsed
      const { id: _, hostedPage, ...fields } = parsed.value
      const unknown = await this.unknownIn(transaction, projectId, fields.targeting)
      if (unknown && !isDeepStrictEqual(fields.targeting, before.targeting)) return unknown
      const { pin: _pin, ...page } = hostedPage
      const kept = change.value.hostedPage?.pin === null ? undefined : (pinHash ?? before.hostedPage.pinHash)
      const isProtected = page.needsLink || kept !== undefined
      const objection = protectionObjection(fields.placement, page.isOpen, isProtected)
      if (objection) return objection
      const survey = { ...before, ...fields, hostedPage: { ...page, pinHash: kept } }
      return { done: true, wanted: { action: 'survey.change', survey } }
    })
  }

  /** Changes a survey by fields in PostHog's form. Parts that they do not name stay, also those that PostHog has no field for. */
  async changeFromPosthog(
    projectId: number,
    id: string,
    given: Readonly<Record<string, unknown>>,
    viewer: Viewer,
  ): Promise<SurveyOutcome> {
    requireRight('surveys:write', projectId, viewer)
    const before = await surveyWithId(this.dependencies.store, projectId, id)
    if (!before) return missingSurvey
    const read = changeFromPosthog(given, before, this.posthogFormOf(before))
    if (!read.done) return read
    return await this.change(projectId, id, { ...read.value, revision: before.revision }, viewer)
  }

  /** Begins to show the survey, now or at a time to come. */
  async launch(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<SurveyOutcome> {
    requireRight('surveys:write', projectId, viewer)
    const parsed = parseInput(launchInput, input ?? {})
    if (!parsed.done) return parsed
    const { at: startsAt = this.dependencies.world.now(), revision } = parsed.value
    return await this.writer.edit(projectId, id, viewer, async (before, transaction) => {
      const objection =
        launchObjection(before, startsAt, this.dependencies.world.now()) ??
        (await refuseOutdatedSurvey(before, revision)) ??
        (await this.unknownIn(transaction, projectId, before.targeting))
      if (objection) return objection
      return { done: true, wanted: { action: 'survey.launch', survey: { ...before, startsAt } } }
    })
  }

  /** Ends a running survey. One that has not begun is a draft again. */
  async stop(projectId: number, id: string, viewer: Viewer): Promise<SurveyOutcome> {
    requireRight('surveys:write', projectId, viewer)
    const now = this.dependencies.world.now()
    return await this.writer.edit(projectId, id, viewer, (before) => {
      if (before.archivedAt) return archived
      if (!before.startsAt) return failedOutcome('The survey is not launched yet.')
      if (before.endsAt && before.endsAt <= now) return failedOutcome('The survey has ended already.')
      const survey = before.startsAt > now ? { ...before, startsAt: undefined } : { ...before, endsAt: now }
      return { done: true, wanted: { action: 'survey.stop', survey } }
    })
  }

  /** Takes answers again after the end. */
  async resume(projectId: number, id: string, viewer: Viewer): Promise<SurveyOutcome> {
    requireRight('surveys:write', projectId, viewer)
    const now = this.dependencies.world.now()
    return await this.writer.edit(projectId, id, viewer, (before) => {
      if (before.archivedAt) return archived
      if (!before.startsAt) return failedOutcome('The survey is not launched yet. Launch it.')
      if (!before.endsAt || before.endsAt > now) return failedOutcome('The survey has not ended.')
      return { done: true, wanted: { action: 'survey.resume', survey: { ...before, endsAt: undefined } } }
    })
  }

  /** Takes the survey out of sight and closes it. Its answers stay, and `restore` undoes it. */
  async archive(projectId: number, id: string, viewer: Viewer): Promise<SurveyOutcome> {
    requireRight('surveys:write', projectId, viewer)
    const archivedAt = this.dependencies.world.now()
    return await this.writer.edit(projectId, id, viewer, (before) => {
      if (before.archivedAt) return failedOutcome('The survey is archived already.')
      return { done: true, wanted: { action: 'survey.archive', survey: { ...before, archivedAt } } }
    })
  }

  /** Brings an archived survey back as it was. */
  async restore(projectId: number, id: string, viewer: Viewer): Promise<SurveyOutcome> {
    requireRight('surveys:write', projectId, viewer)
    return await this.writer.inTransaction(async (transaction) => {
      const all = await surveysOf(transaction, projectId)
      const before = all.find((survey) => survey.id === id)
      if (!before) return missingSurvey
      if (!before.archivedAt) return failedOutcome('The survey is not archived.')
      if (isFull(all)) return tooMany
      const survey = { ...before, archivedAt: undefined }
      return await this.writer.save(transaction, { action: 'survey.restore', survey, before }, viewer)
    })
  }

  /** Makes a draft with the same content, conditions and settings. */
  async duplicate(projectId: number, id: string, viewer: Viewer): Promise<SurveyOutcome> {
    requireRight('surveys:write', projectId, viewer)
    return await this.add(projectId, viewer, (all) => {
      const original = all.find((survey) => survey.id === id)
      if (!original) return missingSurvey
      const { startsAt: _startsAt, endsAt: _endsAt, archivedAt: _archivedAt, ...kept } = original
      return {
        done: true,
        draft: { ...kept, ...this.created(projectId, viewer), name: nameOfCopy(original, all) },
      }
    })
  }

  /** Removes a draft. A survey that was launched may have answers, so it is archived instead. */
  async remove(projectId: number, id: string, viewer: Viewer): Promise<Outcome> {
    requireRight('surveys:write', projectId, viewer)
    return await this.writer.inTransaction(async (transaction) => {
      const survey = await surveyWithId(transaction, projectId, id)
      if (!survey) return missingSurvey
      if (survey.startsAt)
        return failedOutcome('The survey was launched and may have answers. Archive it instead.')
      return await this.writer.remove(transaction, survey, viewer)
    })
  }

  /** Brings flags of surveys up to date with the clock: iterations begin and surveys end without a change. */
  async refreshTargeting(surveys: readonly Survey[]): Promise<void> {
    const { store, world } = this.dependencies
    const now = world.now()
    const timed = surveys.filter(
      ({ schedule, startsAt, endsAt, archivedAt }) =>
        startsAt && !archivedAt && (endsAt !== undefined || schedule.kind === 'recurring'),
    )
    for (const survey of timed)
      await store.transaction(async (transaction) => {
        await keepTargetingFlag(transaction, survey, { by: 'surveys', now })
      })
  }

  /** Refuses conditions on what the project does not have. They would hold for no one. */
  private async unknownIn(
    store: TableSource,
    projectId: number,
    conditions: SurveyTargeting,
  ): Promise<FailedOutcome | undefined> {
    const cohorts = await this.dependencies.cohortIds(projectId)
    const problems = await unknownReferences(store, projectId, conditions, cohorts)
    return problems.length > 0 ? { done: false, problems } : undefined
  }

  private async add(
    projectId: number,
    viewer: Viewer,
    make: (all: readonly Survey[]) => Outcome<{ draft: Survey }>,
  ): Promise<SurveyOutcome> {
    return await this.writer.inTransaction(async (transaction) => {
      const all = await surveysOf(transaction, projectId)
      if (isFull(all)) return tooMany
      const made = make(all)
      if (!made.done) return made
      const survey = made.draft
      if (all.some(({ id }) => id === survey.id))
        return failedOutcome(`There is a survey with the id “${survey.id}” already.`, 'id')
      return await this.writer.save(transaction, { action: 'survey.create', survey }, viewer)
    })
  }

  private draft(
    projectId: number,
    { id, hostedPage: { pin: _, ...page }, ...fields }: NewSurvey,
    pinHash: string | undefined,
    viewer: Viewer,
  ): Survey {
    const created = this.created(projectId, viewer)
    return { ...created, ...fields, id: id ?? created.id, hostedPage: { ...page, pinHash } }
  }

  private created(projectId: number, viewer: Viewer) {
    const now = this.dependencies.world.now()
    return {
      id: newId(this.dependencies.world),
      projectId,
      version: 1,
      revision: 0,
      startsAt: undefined,
      endsAt: undefined,
      archivedAt: undefined,
      createdBy: viewer.name,
      createdAt: now,
      changedBy: viewer.name,
      changedAt: now,
    }
  }
}

const isFull = (all: readonly Survey[]): boolean =>
  all.filter(({ archivedAt }) => !archivedAt).length >= surveyLimits.surveys

const pinHashOf = async (pin: string | null | undefined): Promise<string | undefined> =>
  typeof pin === 'string' ? await hashPassword(pin) : undefined

const refuseOutdatedSurvey = (before: Survey, basis: number | undefined) =>
  refuseOutdated({
    name: before.name,
    field: 'revision',
    basis,
    current: before.revision,
    latest: () => ({ by: before.changedBy, at: before.changedAt }),
  })

function launchObjection(survey: Survey, startsAt: Date, now: Date): FailedOutcome | undefined {
  const { archivedAt, endsAt, content } = survey
  if (archivedAt) return archived
  if (survey.startsAt)
    return failedOutcome(
      endsAt && endsAt <= now
        ? 'The survey has ended. Resume it instead.'
        : 'The survey is launched already.',
    )
  if (content.questions.length === 0)
    return failedOutcome('The survey has no questions. Add one before the launch.', 'content.questions')
  if (endsAt && endsAt <= startsAt)
    return failedOutcome('The survey would end before it begins. Change its end first.', 'endsAt')
  return undefined
}

/** Refuses another place for a protected survey, which would reach all there, without the PIN or the link. */
const protectionObjection = (
  placement: SurveyPlacement,
  isOpen: boolean,
  isProtected: boolean,
): FailedOutcome | undefined =>
  isOpen && isProtected && placement.kind !== 'hosted'
    ? failedOutcome(
        'A PIN and personal links protect a survey that appears only at its own address. Choose that placement, or remove them.',
        'hostedPage',
      )
    : undefined

const maxNameLength = 80

function nameOfCopy({ name }: Survey, all: readonly Survey[]): string {
  const taken = new Set(all.map((survey) => survey.name))
  for (let copy = 1; ; copy++) {
    const ending = copy === 1 ? ' (copy)' : ` (copy ${copy})`
    const wanted = name.slice(0, maxNameLength - ending.length) + ending
    if (!taken.has(wanted)) return wanted
  }
}

/** Leaves what is no input of a survey to the schema. */
function withBrand(input: unknown, brand: Partial<SurveyAppearance>): unknown {
  if (!isRecord(input) || !isRecord(input['content'])) return input
  const { content } = input
  const given = content['appearance'] ?? {}
  return isRecord(given) ? { ...input, content: { ...content, appearance: { ...brand, ...given } } } : input
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
