import { requireRight, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import { failedOutcome, type Outcome, parseInput } from '#projects/problems'
import { hashToken, newId, newToken } from '#projects/secrets'
import type { Store, StoreTransaction } from '#store/store'
import type { World } from '#world/world'
import { surveyWithId } from '../../internal/store'
import type { Survey } from '../../survey'
import { missingSurvey } from '../../internal/survey-writer'
import { type LinkRecipient, linkLimits, newSurveyLinks } from '../link-input'
import { addLinks, countLinks, linksOf, revokeLink } from './store'
import { linkAddress, type SurveyLink } from '../survey-link'

interface SurveyLinksDependencies {
  store: Store
  world: World
  /** The address of this Tilth. */
  address: string
}

/** A link at the one moment when its address is known. */
interface NewSurveyLink extends SurveyLink {
  address: string
}

/** Links by which recipients answer a survey's page, each once. */
export class SurveyLinks {
  constructor(private readonly dependencies: SurveyLinksDependencies) {}

  /** The latest first. */
  async list(projectId: number, surveyId: string, viewer: Viewer): Promise<SurveyLink[]> {
    requireRight('surveys:read', projectId, viewer)
    return await linksOf(this.dependencies.store, projectId, surveyId)
  }

  async create(
    projectId: number,
    surveyId: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ links: NewSurveyLink[] }>> {
    requireRight('surveys:write', projectId, viewer)
    const parsed = parseInput(newSurveyLinks, input)
    if (!parsed.done) return parsed
    const { count = 0, recipients, expiresAt } = parsed.value
    const now = this.dependencies.world.now()
    if (expiresAt && expiresAt <= now)
      return failedOutcome('The links would expire at once. Choose a later time.', 'expiresAt')
    return await this.dependencies.store.transaction(async (transaction) => {
      const survey = await surveyWithId(transaction, projectId, surveyId)
      if (!survey) return missingSurvey
      const wanted = recipients ?? Array.from({ length: count }, () => ({ label: '' }))
      const existing = await countLinks(transaction, projectId, surveyId)
      if (existing + wanted.length > linkLimits.perSurvey)
        return failedOutcome(`A survey has at most ${linkLimits.perSurvey} links.`)
      const links = await this.add(transaction, survey, { recipients: wanted, expiresAt }, viewer)
      return { done: true, links }
    })
  }

  /** Makes a link that was not answered useless. */
  async revoke(projectId: number, surveyId: string, id: string, viewer: Viewer): Promise<Outcome> {
    requireRight('surveys:write', projectId, viewer)
    const { store, world } = this.dependencies
    return await store.transaction(async (transaction) => {
      const survey = await surveyWithId(transaction, projectId, surveyId)
      if (!survey) return missingSurvey
      const isRevoked = await revokeLink(transaction, { projectId, surveyId, id }, world.now())
      if (!isRevoked) return failedOutcome('There is no such link, or it was answered or revoked already.')
      await this.record(transaction, survey, { action: 'survey.revoke-link', before: { link: id } }, viewer)
      return { done: true }
    })
  }

  private async add(
    transaction: StoreTransaction,
    { id: surveyId, projectId, name }: Survey,
    { recipients, expiresAt }: { recipients: readonly LinkRecipient[]; expiresAt: Date | undefined },
    viewer: Viewer,
  ): Promise<NewSurveyLink[]> {
    const { world, address } = this.dependencies
    const made = recipients.map(({ distinctId, email, label }) => {
      const token = newToken(world)
      const link: SurveyLink = {
        id: newId(world),
        projectId,
        surveyId,
        distinctId,
        email,
        label,
        createdBy: viewer.name,
        createdAt: world.now(),
        expiresAt,
        revokedAt: undefined,
        submissionId: undefined,
        begunAt: undefined,
        answeredAt: undefined,
      }
      return { link, tokenHash: hashToken(token), address: linkAddress(address, surveyId, token) }
    })
    await addLinks(transaction, made)
    const after = { links: made.length, expiresAt: expiresAt?.toISOString() }
    await this.record(transaction, { name, projectId }, { action: 'survey.create-links', after }, viewer)
    return made.map(({ link, address: own }) => ({ ...link, address: own }))
  }

  private async record(
    transaction: StoreTransaction,
    { name, projectId }: Pick<Survey, 'name' | 'projectId'>,
    entry: { action: 'survey.create-links' | 'survey.revoke-link'; before?: object; after?: object },
    viewer: Viewer,
  ): Promise<void> {
    const now = this.dependencies.world.now()
    await recordAudit(transaction, { ...entry, subject: name, projectId }, viewer, now)
  }
}
