import { type MailContacts, refuseNonMembers, requestConfirmations } from '#alerts/contacts/contacts'
import { isSameText } from '#collection/canonical-text'
import { partOf } from '#collection/change-of'
import { isSameBut, recordChange } from '#collection/versions'
import type { Viewer } from '#projects/access'
import type { AuditAction } from '#projects/audit-actions'
import { failedOutcome, type Outcome } from '#projects/problems'
import type { Projects } from '#projects/projects'
import type { FlagDefinitions } from '#flags/definitions'
import type { Store, StoreTransaction } from '#store/store'
import type { World } from '#world/world'
import type { PublishedSurveys } from './published-surveys'
import { forgetSurvey, saveSurvey, saveVersion, surveyWithId } from './store'
import { type Survey, withoutPinHash } from '../survey'
import { surveySchema } from '../survey-schema'
import { keepTargetingFlag } from './targeting-flag'

export interface SurveyWriterDependencies {
  store: Store
  world: World
  published: Pick<PublishedSurveys, 'caughtUp'>
  definitions: Pick<FlagDefinitions, 'caughtUp'>
  contacts: MailContacts
  projects: Pick<Projects, 'numbered'>
}

export type SurveyOutcome = Outcome<{ survey: Survey }>

/** A survey as it is to be, and how it was. */
interface SurveyWrite {
  action: Extract<AuditAction, `survey.${string}`>
  survey: Survey
  before?: Survey | undefined
}

type SurveyEdit = Outcome<{ wanted: Omit<SurveyWrite, 'before'> }>

export const missingSurvey = failedOutcome('There is no such survey in this project.')

/** Writes surveys to the store with their versions and audit entries. */
export class SurveyWriter {
  constructor(private readonly dependencies: SurveyWriterDependencies) {}

  /** Resolves once this process knows the new state, because the author looks at its effect next. */
  async inTransaction<Done>(
    work: (transaction: StoreTransaction) => Promise<Outcome<Done>>,
  ): Promise<Outcome<Done>> {
    const outcome = await this.dependencies.store.transaction(work)
    if (!outcome.done) return outcome
    await this.dependencies.published.caughtUp()
    await this.dependencies.definitions.caughtUp()
    return outcome
  }

  async edit(
    projectId: number,
    id: string,
    viewer: Viewer,
    edit: (before: Survey, transaction: StoreTransaction) => SurveyEdit | Promise<SurveyEdit>,
  ): Promise<SurveyOutcome> {
    return await this.inTransaction(async (transaction) => {
      const before = await surveyWithId(transaction, projectId, id)
      if (!before) return missingSurvey
      const edited = await edit(before, transaction)
      if (!edited.done) return edited
      return await this.save(transaction, { ...edited.wanted, before }, viewer)
    })
  }

  /** Writes nothing if the change changes nothing. */
  async save(transaction: StoreTransaction, change: SurveyWrite, viewer: Viewer): Promise<SurveyOutcome> {
    const { before } = change
    if (before && isSame(change.survey, before)) return { done: true, survey: before }
    const survey = this.next(change, viewer)
    const notified = { recipients: survey.notify }
    const context = {
      before: before && { recipients: before.notify },
      projectId: survey.projectId,
      viewer,
      dependencies: this.dependencies,
    }
    const refused =
      (await refuseNonMembers(transaction, notified, context, 'notify')) ??
      (await keepTargetingFlag(transaction, survey, { by: viewer.name, now: survey.changedAt }))
    if (refused) return refused
    await saveSurvey(transaction, survey)
    if (!before || !hasSameContent(survey, before)) await saveVersion(transaction, survey, versionOf(survey))
    await requestConfirmations(transaction, notified, context)
    await this.record(transaction, { ...change, survey }, viewer)
    return { done: true, survey }
  }

  async remove(transaction: StoreTransaction, survey: Survey, viewer: Viewer): Promise<Outcome> {
    await forgetSurvey(transaction, survey)
    await this.record(transaction, { action: 'survey.remove', before: survey }, viewer)
    return { done: true }
  }

  /** Makes the next state. Before the launch no one can answer, so there is one version until then. */
  private next({ survey, before }: SurveyWrite, viewer: Viewer): Survey {
    const makesVersion = before?.startsAt !== undefined && !hasSameContent(survey, before)
    return {
      ...survey,
      version: (before?.version ?? 1) + (makesVersion ? 1 : 0),
      revision: (before?.revision ?? 0) + 1,
      changedBy: viewer.name,
      changedAt: this.dependencies.world.now(),
    }
  }

  private async record(
    transaction: StoreTransaction,
    { action, survey, before }: Pick<SurveyWrite, 'action'> & Partial<SurveyWrite>,
    viewer: Viewer,
  ): Promise<void> {
    const named = survey ?? before
    if (!named) return
    const { name: subject, projectId } = named
    const audited = { before: before && auditedFields(before), after: survey && auditedFields(survey) }
    const change = { action, topic: 'surveys', subject, projectId, ...audited }
    await recordChange(transaction, change, viewer, this.dependencies.world.now())
  }
}

const versionOf = ({ id, version, content, changedBy, changedAt }: Survey) => ({
  surveyId: id,
  version,
  content,
  createdBy: changedBy,
  createdAt: changedAt,
})

const hasSameContent = (one: Survey, other: Survey): boolean => isSameText(one.content, other.content)

const isSame = (one: Survey, other: Survey): boolean =>
  isSameBut(['version', 'revision', 'changedBy', 'changedAt'], one, other)

const auditedSurvey = surveySchema.omit({
  id: true,
  projectId: true,
  content: true,
  createdBy: true,
  createdAt: true,
  changedBy: true,
  changedAt: true,
})

/** The part of a survey that the audit log shows; its content is kept by its versions. */
const auditedFields = (survey: Survey) => ({
  ...withoutPinHash(partOf(auditedSurvey, survey)),
  questions: survey.content.questions.map(({ text }) => text),
})
