import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Annotations } from '#insights/annotations/annotations'
import type { Insights } from '#insights/ask'
import { bounceRuleFrom } from '#insights/bounce-rule'
import type { ChartSettings, ChartNote } from '#insights/chart-settings'
import { type Calendar, periodOn, periodText } from '#insights/calendar/period'
import type { SavedInsights } from '#insights/saved/saved-insights'
import { type KeyViewer, localOrigin, type RequestOrigin, requireRight, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import type { AuditAction } from '#projects/audit-actions'
import { hashPassword, isPassword } from '#projects/passwords'
import { type Outcome, parseInput, failedOutcome } from '#projects/problems'
import type { Project } from '#projects/project'
import type { Projects } from '#projects/projects'
import { hashToken, newId, newToken } from '#projects/secrets'
import { waitInWords, GuessThrottle } from '#projects/throttle'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import type { SavedCard, ViewOverrides } from '#dashboards/dashboard'
import type { CardQueryRunner, Dashboards } from '#dashboards/dashboards'
import { templates } from '#dashboards/templates'
import type { Experiment } from '#experiments/experiment'
import type { Experiments } from '#experiments/experiments'
import type { MetricCourse } from '#experiments/results/course'
import type { ExperimentResult, ExperimentResults } from '#experiments/results/experiment-results'
import type { Seal } from '#flags/seal'
import { reportLimitedTo } from './internal/shared-report'
import { type ReportParts, usualParts } from './report-parts'
import { findShare, type KeptLink, type StoredShare, saveShare, sharesOf } from './internal/store'

/** The subject of a share: one dashboard, one insight, the report of one experiment, or web analytics. */
export type ShareSubject = BoardSubject | { kind: 'experiment'; id: string }

/** A subject that is a page of cards. */
type BoardSubject = { kind: 'dashboard' | 'insight'; id: string } | { kind: 'web' }

/** A public link to one subject. Its token is stored as a hash, and encrypted for the member who made it. */
export interface Share {
  id: string
  projectId: number
  subject: ShareSubject
  /** The name of the subject when it was shared. */
  name: string
  hasPassword: boolean
  /** Whether viewers may choose another period. */
  mayChangePeriod: boolean
  /** The hosts that may embed it in a frame. */
  frameHosts: readonly string[]
  /** The parts of an experiment's report that it shows; undefined for other subjects. */
  parts: ReportParts | undefined
  endsAt: Date | undefined
  createdBy: string
  createdAt: Date
  revokedAt: Date | undefined
}

/** A share as a member sees it. */
export type ListedShare = Share & { canCopyLink: boolean }

/** The content of an open share. */
export type SharedView = SharedBoard | SharedExperiment

/** Cards, limited to their own queries. */
export interface SharedBoard {
  kind: 'board'
  name: string
  description: string
  settings: ChartSettings
  cards: readonly SavedCard[]
  look: ViewOverrides
  notes: readonly ChartNote[]
  mayChangePeriod: boolean
  ask: CardQueryRunner
}

/** The report of an experiment, limited to the chosen parts; never persons. */
export interface SharedExperiment {
  kind: 'experiment'
  name: string
  parts: ReportParts
  /** Without the texts, metrics and recipients that are not shown. */
  experiment: Experiment
  timeZone: string
  /** Undefined if no chosen part needs it. Rejects if the engine fails. */
  result: (() => Promise<Outcome<{ result: SharedResult }>>) | undefined
  /** The course of the chosen metrics; undefined if it is not shown. Rejects if the engine fails. */
  course: (() => Promise<Outcome<{ course: readonly MetricCourse[] }>>) | undefined
}

/** The result of an experiment, limited to the chosen parts. */
export interface SharedResult {
  verdict: { advice: ExperimentResult['verdict']['advice']; sentence: string } | undefined
  /** The chosen metrics, and the units they are of. */
  report: ExperimentResult['report']
  byPhase: ExperimentResult['byPhase']
  flagVariants: ExperimentResult['flagVariants']
}

/** The result of opening a link. Unknown, revoked and expired shares are missing. */
export type OpenedShare =
  | { state: 'missing' }
  | { state: 'locked'; isFramable: boolean }
  | { state: 'open'; shared: SharedView }

const shareSubject = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('dashboard'), id: z.string().min(1).max(100) }),
  z.strictObject({ kind: z.literal('insight'), id: z.string().min(1).max(100) }),
  z.strictObject({ kind: z.literal('experiment'), id: z.string().min(1).max(100) }),
  z.strictObject({ kind: z.literal('web') }),
])

const sayHost = 'Write a host as "example.com", "*.example.com" or "https://example.com:8443".'

/** A host as the `frame-ancestors` directive accepts it; nothing else may get into the header. */
const frameHost = z
  .string()
  .trim()
  .toLowerCase()
  .max(200, sayHost)
  .regex(
    /^(?:https?:\/\/)?(?:\*\.)?[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*(?::\d{1,5})?$/,
    sayHost,
  )

export const reportParts = z.strictObject(
  {
    verdict: z.boolean(),
    metrics: z.union([z.literal('all'), z.array(z.string().max(100)).max(30)], {
      error: 'Say “all”, or list the ids of metrics.',
    }),
    exposures: z.boolean().meta({ description: 'The exposed units of each variant, with the split' }),
    course: z.boolean().meta({ description: 'How the estimates of the shown metrics moved' }),
    conclusion: z.boolean(),
    notes: z.boolean(),
  },
  { error: ({ code }) => (code === 'invalid_type' ? 'Give the parts that are shown or not.' : undefined) },
)

const shareFields = {
  /** Null removes the password. */
  password: z
    .string()
    .min(8, 'Use at least 8 characters for the password.')
    .max(200, 'Use at most 200 characters for the password.')
    .nullable(),
  mayChangePeriod: z.boolean(),
  frameHosts: z.array(frameHost).max(20, 'List at most 20 hosts.'),
  /** The last day of the share in the project's time zone; null for no expiry. */
  lastDay: z.iso.date('Write the day as "2026-03-31".').nullable(),
  parts: reportParts.partial().optional().meta({
    description: 'The parts of an experiment’s report that are shown; those left out stay as they are',
  }),
}

export const newShare = z.strictObject({
  subject: shareSubject,
  password: shareFields.password.default(null),
  mayChangePeriod: shareFields.mayChangePeriod.default(false),
  frameHosts: shareFields.frameHosts.default([]),
  lastDay: shareFields.lastDay.default(null),
  parts: shareFields.parts,
})
export const shareChange = z.strictObject(shareFields).partial()
type ShareChange = z.infer<typeof shareChange>

const noParts = failedOutcome('Only the report of an experiment has parts to choose.', 'parts')
const noPeriod = failedOutcome('An experiment has no date range to choose.', 'mayChangePeriod')
const missing = failedOutcome('There is no such share in this project.')

type ShareOutcome = Outcome<{ share: Share }>
type ShareLinkOutcome = Outcome<{ share: Share; token: string }>

type BoardContent = Pick<SharedBoard, 'name' | 'description' | 'cards' | 'look'>

interface SharesDependencies {
  store: Store
  world: World
  projects: Pick<Projects, 'numbered'>
  insights: Pick<Insights, 'settingsOf'>
  savedInsights: Pick<SavedInsights, 'find'>
  dashboards: Pick<Dashboards, 'find' | 'asking'>
  annotations: Pick<Annotations, 'notesFor'>
  experiments: Pick<Experiments, 'find'>
  experimentResults: Pick<ExperimentResults, 'result' | 'course'>
  seal: Pick<Seal, 'open' | 'close'>
}

export class Shares {
  private readonly throttle: GuessThrottle

  constructor(private readonly dependencies: SharesDependencies) {
    this.throttle = new GuessThrottle(dependencies)
  }

  async list(projectId: number, viewer: Viewer): Promise<ListedShare[]> {
    requireRight('shares:write', projectId, viewer)
    const stored = await sharesOf(this.dependencies.store, projectId)
    return stored.map(({ share, keptLink }) => ({ ...share, canCopyLink: isMaker(viewer, keptLink) }))
  }

  /** Returns the token of a link again, to the member who made it. */
  async link(projectId: number, id: string, viewer: Viewer): Promise<ShareLinkOutcome> {
    requireRight('shares:write', projectId, viewer)
    const stored = await this.find(projectId, id)
    if (!stored) return missing
    const { share, keptLink } = stored
    if (!keptLink || !isMaker(viewer, keptLink))
      return failedOutcome('Only the member who made this link can copy it. Replace it to get a new one.')
    const token = this.dependencies.seal.open(keptLink.sealedToken, aboutLink(id))
    return token === undefined
      ? failedOutcome('The key of this link is not in this data folder. Replace the link.')
      : { done: true, share, token }
  }

  /** Returns the `token` of the link; later, only the member who made it can read it again. */
  async create(projectId: number, input: unknown, viewer: Viewer): Promise<ShareLinkOutcome> {
    requireRight('shares:write', projectId, viewer)
    const parsed = parseInput(newShare, input)
    if (!parsed.done) return parsed
    const { subject: wanted, password, lastDay, parts: given, ...rest } = parsed.value
    if (rest.mayChangePeriod && wanted.kind === 'experiment') return noPeriod
    const name = await this.nameOf(projectId, wanted)
    if (name === undefined)
      return failedOutcome('There is nothing with that id to share in this project.', 'subject')
    const ends = this.endOf(projectId, lastDay)
    if (!ends.done) return ends
    const chosen = await this.partsOf(projectId, wanted, { given, before: undefined })
    if (!chosen.done) return chosen
    const token = newToken(this.dependencies.world)
    const share: Share = {
      id: newId(this.dependencies.world),
      projectId,
      subject: wanted,
      name,
      hasPassword: password !== null,
      ...rest,
      parts: chosen.parts,
      endsAt: ends.endsAt,
      createdBy: viewer.name,
      createdAt: this.dependencies.world.now(),
      revokedAt: undefined,
    }
    const passwordHash = password === null ? undefined : await hashPassword(password)
    const link = this.storedLink(share.id, token, viewer)
    await this.save('share.create', { share, ...link, passwordHash }, viewer)
    return { done: true, share, token }
  }

  async change(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<ShareOutcome> {
    requireRight('shares:write', projectId, viewer)
    const parsed = parseInput(shareChange, input)
    if (!parsed.done) return parsed
    const before = await this.find(projectId, id)
    if (!before) return missing
    if (parsed.value.mayChangePeriod && before.share.subject.kind === 'experiment') return noPeriod
    const changed = await this.changed(before, parsed.value)
    if (!changed.done) return changed
    await this.save('share.change', changed.kept, viewer, before)
    return { done: true, share: changed.kept.share }
  }

  /** Creates a new link to the same subject; the old link stops working. */
  async renew(projectId: number, id: string, viewer: Viewer): Promise<ShareLinkOutcome> {
    requireRight('shares:write', projectId, viewer)
    const before = await this.find(projectId, id)
    if (!before) return missing
    if (before.share.revokedAt) return failedOutcome('This share was revoked. Create a new link.')
    const token = newToken(this.dependencies.world)
    await this.save('share.change', { ...before, ...this.storedLink(id, token, viewer) }, viewer, before)
    return { done: true, share: before.share, token }
  }

  async revoke(projectId: number, id: string, viewer: Viewer): Promise<Outcome> {
    requireRight('shares:write', projectId, viewer)
    const before = await this.find(projectId, id)
    if (!before) return missing
    if (before.share.revokedAt) return failedOutcome('This share is already revoked.')
    const share = { ...before.share, revokedAt: this.dependencies.world.now() }
    await this.save('share.revoke', { ...before, share }, viewer, before)
    return { done: true }
  }

  /** Returns the allowed frame ancestors of a share: our own origin for the preview, and the listed hosts. */
  async framedBy(token: string): Promise<readonly string[]> {
    const stored = await this.openShareFor(token)
    return stored ? ["'self'", ...stored.share.frameHosts] : []
  }

  /** Opens a share by its token; a share with a password also needs the proof from `unlock`. */
  async visit(token: string, proof: string | undefined, period?: string): Promise<OpenedShare> {
    const stored = await this.openShareFor(token)
    if (!stored) return { state: 'missing' }
    const { share, passwordHash } = stored
    if (passwordHash !== undefined && !isProof(proof, proofOf(token, passwordHash)))
      return { state: 'locked', isFramable: share.frameHosts.length > 0 }
    const wanted = share.mayChangePeriod ? periodText.safeParse(period).data : undefined
    const shared = await this.open(share, wanted)
    return shared ? { state: 'open', shared } : { state: 'missing' }
  }

  /** Checks the password and returns a proof, which is valid until the password changes. */
  async unlock(token: string, password: string, origin: RequestOrigin): Promise<Outcome<{ proof: string }>> {
    const stored = await this.openShareFor(token)
    if (stored?.passwordHash === undefined) return failedOutcome('This share has no password. Open it again.')
    const attempt = { account: `share ${stored.share.id}`, network: origin.address }
    const admission = await this.throttle.admit(attempt)
    if (!admission.admitted)
      return failedOutcome(`Too many wrong passwords. Wait ${waitInWords(admission.seconds)} and try again.`)
    if (await isPassword(password, stored.passwordHash)) {
      await this.throttle.succeeded(attempt, admission)
      return { done: true, proof: proofOf(token, stored.passwordHash) }
    }
    return failedOutcome('The password is wrong.', 'password')
  }

  private storedLink(id: string, token: string, viewer: Viewer): Pick<StoredShare, 'tokenHash' | 'keptLink'> {
    const keptLink =
      viewer.kind === 'member'
        ? { memberId: viewer.memberId, sealedToken: this.dependencies.seal.close(token, aboutLink(id)) }
        : undefined
    return { tokenHash: hashToken(token), keptLink }
  }

  private async openShareFor(token: string): Promise<StoredShare | undefined> {
    const stored = await findShare(this.dependencies.store, { tokenHash: hashToken(token) })
    if (!stored || stored.share.revokedAt) return undefined
    const isOver = stored.share.endsAt !== undefined && stored.share.endsAt <= this.dependencies.world.now()
    const project = this.dependencies.projects.numbered(stored.share.projectId)
    return isOver || !project || project.archivedAt ? undefined : stored
  }

  private async open(share: Share, period: string | undefined): Promise<SharedView | undefined> {
    const { projectId, subject } = share
    const project = this.dependencies.projects.numbered(projectId)
    if (!project) return undefined
    return subject.kind === 'experiment'
      ? await this.openExperiment(project, subject.id, share)
      : await this.openBoard(project, { ...share, subject }, period)
  }

  private async openBoard(
    project: Project,
    { id, projectId, subject, mayChangePeriod }: Share & { subject: BoardSubject },
    period: string | undefined,
  ): Promise<SharedBoard | undefined> {
    const viewer = viewerOf(projectId, ['events:read', 'experiments:read'], id)
    const found = await this.boardOf(projectId, subject, viewer)
    if (!found) return undefined
    const look = period === undefined ? found.look : { ...found.look, period }
    const settings = this.dependencies.insights.settingsOf(project)
    const { currency, weekStart } = settings
    const looked = subject.kind === 'web' ? {} : { [subject.kind]: subject.id }
    return {
      kind: 'board',
      ...found,
      look,
      mayChangePeriod,
      settings: {
        timeZone: project.timeZone,
        currency,
        weekStart,
        bounceRule: bounceRuleFrom(settings),
        since: project.createdAt,
      },
      notes: await this.dependencies.annotations.notesFor(projectId, looked, viewer),
      ask: limitedTo(
        found.cards,
        this.dependencies.dashboards.asking(projectId, look, viewer, `share ${id}`),
      ),
    }
  }

  private async openExperiment(
    project: Project,
    id: string,
    { id: share, parts = usualParts }: Share,
  ): Promise<SharedExperiment | undefined> {
    const viewer = viewerOf(project.id, ['experiments:read'], share)
    const experiment = await this.experimentOf(project.id, id, viewer)
    const results = this.dependencies.experimentResults
    return experiment && reportLimitedTo(parts, experiment, project, { results, viewer })
  }

  /** Returns the chosen parts of a report on top of those before; other subjects have none. */
  private async partsOf(
    projectId: number,
    subject: ShareSubject,
    {
      given,
      before = usualParts,
    }: { given: Partial<ReportParts> | undefined; before: ReportParts | undefined },
  ): Promise<Outcome<{ parts: ReportParts | undefined }>> {
    if (subject.kind !== 'experiment') return given ? noParts : { done: true, parts: undefined }
    const parts = { ...before, ...given }
    if (given?.metrics === undefined || given.metrics === 'all') return { done: true, parts }
    const experiment = await this.experimentOf(
      projectId,
      subject.id,
      viewerOf(projectId, ['experiments:read']),
    )
    // a metric that was shown before may be gone by now
    const shown = before.metrics === 'all' ? [] : before.metrics
    const known = [...(experiment?.metrics.map((metric) => metric.id) ?? []), ...shown]
    const unknown = given.metrics.find((one) => !known.includes(one))
    return unknown === undefined
      ? { done: true, parts }
      : failedOutcome(`The experiment has no metric “${unknown}”.`, 'parts')
  }

  private async nameOf(projectId: number, subject: ShareSubject): Promise<string | undefined> {
    const found =
      subject.kind === 'experiment'
        ? await this.experimentOf(projectId, subject.id, viewerOf(projectId, ['experiments:read']))
        : await this.boardOf(projectId, subject, viewerOf(projectId, ['events:read']))
    return found?.name
  }

  private async experimentOf(projectId: number, id: string, viewer: Viewer): Promise<Experiment | undefined> {
    const experiment = await this.dependencies.experiments.find(projectId, id, viewer)
    return experiment?.archivedAt ? undefined : experiment
  }

  private async boardOf(
    projectId: number,
    wanted: BoardSubject,
    viewer: Viewer,
  ): Promise<BoardContent | undefined> {
    if (wanted.kind === 'web') return website
    if (wanted.kind === 'dashboard') {
      const dashboard = await this.dependencies.dashboards.find(projectId, wanted.id, viewer)
      return dashboard?.archivedAt ? undefined : dashboard
    }
    const insight = await this.dependencies.savedInsights.find(projectId, wanted.id, viewer)
    if (!insight || insight.archivedAt) return undefined
    const { name, description } = insight
    return { name, description, cards: [fullPageCard(wanted.id)], look: noOverrides }
  }

  private async find(projectId: number, id: string): Promise<StoredShare | undefined> {
    const stored = await findShare(this.dependencies.store, { id })
    return stored?.share.projectId === projectId ? stored : undefined
  }

  private async changed(
    { share, ...secrets }: StoredShare,
    { password, lastDay, parts: given, ...rest }: ShareChange,
  ): Promise<Outcome<{ kept: StoredShare }>> {
    const chosen = await this.partsOf(share.projectId, share.subject, { given, before: share.parts })
    if (!chosen.done) return chosen
    const ends = lastDay === undefined ? share : this.endOf(share.projectId, lastDay)
    if ('done' in ends && !ends.done) return ends
    const passwordHash = await hashOf(password, secrets.passwordHash)
    const hasPassword = passwordHash !== undefined
    const after = { ...share, ...rest, parts: chosen.parts, endsAt: ends.endsAt, hasPassword }
    return { done: true, kept: { ...secrets, share: after, passwordHash } }
  }

  private endOf(projectId: number, lastDay: string | null): Outcome<{ endsAt: Date | undefined }> {
    if (lastDay === null) return { done: true, endsAt: undefined }
    const project = this.dependencies.projects.numbered(projectId)
    if (!project) return missing
    const calendar = calendarOf(project, this.dependencies.world.now())
    const { until } = periodOn(calendar, `${lastDay}..${lastDay}`)
    return until > calendar.now
      ? { done: true, endsAt: until }
      : failedOutcome('Choose today or a later date.', 'lastDay')
  }

  private async save(
    action: Extract<AuditAction, `share.${string}`>,
    stored: StoredShare,
    viewer: Viewer,
    before?: StoredShare,
  ): Promise<void> {
    const { store, world } = this.dependencies
    const { share } = stored
    await store.transaction(async (transaction) => {
      await saveShare(transaction, stored)
      const entry = { action, subject: share.name, projectId: share.projectId, after: auditedFields(share) }
      const audited = before ? { ...entry, before: auditedFields(before.share) } : entry
      await recordAudit(transaction, audited, viewer, world.now())
    })
  }
}

const isMaker = (viewer: Viewer, keptLink: KeptLink | undefined): boolean =>
  viewer.kind === 'member' && keptLink?.memberId === viewer.memberId

/** A sealed link opens as the link of its own share alone. */
const aboutLink = (id: string): string => `share ${id}`

const noOverrides: ViewOverrides = { refreshMinutes: 0 }

/** A shared insight fills the page. */
const fullPageCard = (insight: string): SavedCard => ({
  id: 'insight',
  place: { x: 0, y: 0, w: 12, h: 7 },
  content: { type: 'insight', insight },
})

/** The cards of a shared web analytics page. */
const website: BoardContent = {
  name: 'Web analytics',
  description: '',
  cards: templates.website.cards.map((card, i) => ({
    ...card,
    id: `web-${i + 1}`,
    place: card.place ?? { x: 0, y: 0, w: 12, h: 5 },
  })),
  look: noOverrides,
}

/** Refuses queries that are not on the shared page: a modified client sends them. */
const limitedTo =
  (cards: readonly SavedCard[], ask: CardQueryRunner): CardQueryRunner =>
  async (card, options) => {
    const own = cards.find(({ id }) => id === card.id)
    // the cost of an answer and its statements are not shared
    return own
      ? await ask(own, { isFresh: options?.isFresh ?? false, showsMargin: options?.showsMargin ?? false })
      : failedOutcome('There is no such card.')
  }

/** A viewer who may only read, in this project. */
const viewerOf = (
  projectId: number,
  scopes: readonly ('events:read' | 'experiments:read')[],
  id = '',
): KeyViewer => ({
  kind: 'key',
  keyId: `share ${id}`,
  name: 'A share',
  projectId,
  scopes: new Set(scopes),
  origin: localOrigin,
})

const calendarOf = ({ timeZone }: Project, now: Date): Calendar => ({ timeZone, weekStart: 'monday', now })

/** The proof cannot be forged without the store, and a new password invalidates it. */
const proofOf = (token: string, passwordHash: string): string => hashToken(`${token} ${passwordHash}`)

const isProof = (given: string | undefined, wanted: string): boolean =>
  given?.length === wanted.length && timingSafeEqual(Buffer.from(given), Buffer.from(wanted))

async function hashOf(
  password: string | null | undefined,
  before: string | undefined,
): Promise<string | undefined> {
  if (password === undefined) return before
  return password === null ? undefined : await hashPassword(password)
}

const auditedFields = ({
  subject: what,
  hasPassword,
  mayChangePeriod,
  frameHosts,
  parts,
  endsAt,
  revokedAt,
}: Share) => ({
  subject: what,
  hasPassword,
  mayChangePeriod,
  frameHosts,
  parts,
  endsAt,
  revokedAt,
})
