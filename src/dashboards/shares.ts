import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Annotations } from '../insights/annotations'
import type { Insights } from '../insights/ask'
import type { ChartGround, Note } from '../insights/chart-ground'
import { type Calendar, periodOn, periodText } from '../insights/period'
import type { SavedInsights } from '../insights/saved-insights'
import { type KeyViewer, nowhere, type Origin, requireRight, type Viewer } from '../projects/access'
import { record } from '../projects/audit'
import type { AuditAction } from '../projects/audit-actions'
import { hashPassword, isPassword } from '../projects/passwords'
import { type Outcome, parse, undone } from '../projects/problems'
import type { Project } from '../projects/project'
import type { Projects } from '../projects/projects'
import { fingerprint, newId, newToken } from '../projects/secrets'
import { inWords, Throttle } from '../projects/throttle'
import type { Store } from '../store/store'
import type { World } from '../world/world'
import type { Card, Look } from './dashboard'
import type { AskCard, Dashboards } from './dashboards'
import { findShare, type KeptShare, saveShare, sharesOf } from './shares/store'
import { templates } from './templates'

/** What is shown to people outside: one dashboard, one insight, or how the website is doing. */
export type ShareSubject = { kind: 'dashboard' | 'insight'; id: string } | { kind: 'web' }

/** A link that shows one thing to whoever has it. Its token is known to nobody but its holders. */
export interface Share {
  id: string
  projectId: number
  subject: ShareSubject
  /** What the subject was called when it was shared. */
  name: string
  hasPassword: boolean
  /** Whether people who look at it may choose another period. */
  mayChangePeriod: boolean
  /** Whose pages may show it in a frame. */
  frameHosts: readonly string[]
  endsAt: Date | undefined
  createdBy: string
  createdAt: Date
  revokedAt: Date | undefined
}

/** What is behind an open share, with its questions and no others. */
export interface Shared {
  name: string
  description: string
  ground: ChartGround
  cards: readonly Card[]
  look: Look
  notes: readonly Note[]
  mayChangePeriod: boolean
  ask: AskCard
}

/** What somebody with a link finds. A share that is unknown, revoked, or past its time is missing. */
export type Visited =
  | { state: 'missing' }
  | { state: 'locked'; isFramable: boolean }
  | { state: 'open'; shared: Shared }

const subject = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('dashboard'), id: z.string().min(1).max(100) }),
  z.strictObject({ kind: z.literal('insight'), id: z.string().min(1).max(100) }),
  z.strictObject({ kind: z.literal('web') }),
])

const sayHost = 'Write a host as "example.com", "*.example.com" or "https://example.com:8443".'

/** What a browser understands as a host that may frame; nothing else may get into the header. */
const frameHost = z
  .string()
  .trim()
  .toLowerCase()
  .max(200, sayHost)
  .regex(
    /^(?:https?:\/\/)?(?:\*\.)?[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*(?::\d{1,5})?$/,
    sayHost,
  )

const settings = {
  /** null takes it away. */
  password: z
    .string()
    .min(8, 'Use at least 8 characters for the password.')
    .max(200, 'Use at most 200 characters for the password.')
    .nullable(),
  mayChangePeriod: z.boolean(),
  frameHosts: z.array(frameHost).max(20, 'List at most 20 hosts.'),
  /** The last day on which it is shown, in the project's time zone; null for no end. */
  lastDay: z.iso.date('Write the day as "2026-03-31".').nullable(),
}

export const newShare = z.strictObject({
  subject,
  password: settings.password.default(null),
  mayChangePeriod: settings.mayChangePeriod.default(false),
  frameHosts: settings.frameHosts.default([]),
  lastDay: settings.lastDay.default(null),
})
export const shareChange = z.strictObject(settings).partial()
type ShareChange = z.infer<typeof shareChange>

const missing = undone('There is no such share in this project.')

type Saved = Outcome<{ share: Share }>
type Linked = Outcome<{ share: Share; token: string }>

export interface SharesGround {
  store: Store
  world: World
  projects: Pick<Projects, 'numbered'>
  insights: Pick<Insights, 'settingsOf'>
  savedInsights: Pick<SavedInsights, 'find'>
  dashboards: Pick<Dashboards, 'find' | 'asking'>
  annotations: Pick<Annotations, 'notesFor'>
}

export class Shares {
  private readonly throttle: Throttle

  constructor(private readonly ground: SharesGround) {
    this.throttle = new Throttle(ground)
  }

  async list(projectId: number, viewer: Viewer): Promise<Share[]> {
    requireRight('shares:write', projectId, viewer)
    return await sharesOf(this.ground.store, projectId)
  }

  /** `token` makes the link. It is told this once and kept nowhere. */
  async create(projectId: number, input: unknown, viewer: Viewer): Promise<Linked> {
    requireRight('shares:write', projectId, viewer)
    const parsed = parse(newShare, input)
    if (!parsed.done) return parsed
    const { subject: wanted, password, lastDay, ...rest } = parsed.value
    const found = await this.subjectOf(projectId, wanted, viewerOf(projectId))
    if (!found) return undone('There is nothing of that id to share in this project.', 'subject')
    const ends = this.endOf(projectId, lastDay)
    if (!ends.done) return ends
    const token = newToken(this.ground.world)
    const share: Share = {
      id: newId(this.ground.world),
      projectId,
      subject: wanted,
      name: found.name,
      hasPassword: password !== null,
      ...rest,
      endsAt: ends.endsAt,
      createdBy: viewer.name,
      createdAt: this.ground.world.now(),
      revokedAt: undefined,
    }
    const passwordHash = password === null ? undefined : await hashPassword(password)
    await this.save('share.create', { share, tokenHash: fingerprint(token), passwordHash }, viewer)
    return { done: true, share, token }
  }

  async change(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<Saved> {
    requireRight('shares:write', projectId, viewer)
    const parsed = parse(shareChange, input)
    if (!parsed.done) return parsed
    const before = await this.find(projectId, id)
    if (!before) return missing
    const changed = await this.changed(before, parsed.value)
    if (!changed.done) return changed
    await this.save('share.change', changed.kept, viewer, before)
    return { done: true, share: changed.kept.share }
  }

  /** Another link to the same; whoever has the old one sees nothing from now on. */
  async renew(projectId: number, id: string, viewer: Viewer): Promise<Linked> {
    requireRight('shares:write', projectId, viewer)
    const before = await this.find(projectId, id)
    if (!before) return missing
    if (before.share.revokedAt) return undone('This share was revoked. Share it anew.')
    const token = newToken(this.ground.world)
    await this.save('share.change', { ...before, tokenHash: fingerprint(token) }, viewer, before)
    return { done: true, share: before.share, token }
  }

  async revoke(projectId: number, id: string, viewer: Viewer): Promise<Outcome> {
    requireRight('shares:write', projectId, viewer)
    const before = await this.find(projectId, id)
    if (!before) return missing
    if (before.share.revokedAt) return undone('This share has been revoked already.')
    const share = { ...before.share, revokedAt: this.ground.world.now() }
    await this.save('share.revoke', { ...before, share }, viewer, before)
    return { done: true }
  }

  /** Whose pages may frame what this token shows, as browsers are told: our own for the preview, and those listed. */
  async framedBy(token: string): Promise<readonly string[]> {
    const kept = await this.shownFor(token)
    return kept ? ["'self'", ...kept.share.frameHosts] : []
  }

  /** Opens a share for whoever has its link, and the proof that its password was given where it has one. */
  async visit(token: string, proof: string | undefined, period?: string): Promise<Visited> {
    const kept = await this.shownFor(token)
    if (!kept) return { state: 'missing' }
    const { share, passwordHash } = kept
    if (passwordHash !== undefined && !isProof(proof, proofOf(token, passwordHash)))
      return { state: 'locked', isFramable: share.frameHosts.length > 0 }
    const wanted = share.mayChangePeriod ? periodText.safeParse(period).data : undefined
    const shared = await this.open(share, wanted)
    return shared ? { state: 'open', shared } : { state: 'missing' }
  }

  /** From the password to the proof that it was given, which goes when the password does. */
  async unlock(token: string, password: string, origin: Origin): Promise<Outcome<{ proof: string }>> {
    const kept = await this.shownFor(token)
    if (kept?.passwordHash === undefined) return undone('This share asks for no password. Open it again.')
    const attempt = { account: `share ${kept.share.id}`, address: origin.address }
    const seconds = await this.throttle.waitSeconds(attempt)
    if (seconds > 0) return undone(`Too many wrong passwords. Wait ${inWords(seconds)} and try again.`)
    if (await isPassword(password, kept.passwordHash)) {
      await this.throttle.succeeded(attempt)
      return { done: true, proof: proofOf(token, kept.passwordHash) }
    }
    await this.ground.store.transaction((transaction) => this.throttle.failed(attempt, transaction))
    return undone('The password is wrong.', 'password')
  }

  private async shownFor(token: string): Promise<KeptShare | undefined> {
    const kept = await findShare(this.ground.store, { tokenHash: fingerprint(token) })
    if (!kept || kept.share.revokedAt) return undefined
    const isOver = kept.share.endsAt !== undefined && kept.share.endsAt <= this.ground.world.now()
    const project = this.ground.projects.numbered(kept.share.projectId)
    return isOver || !project || project.archivedAt ? undefined : kept
  }

  private async open(share: Share, period: string | undefined): Promise<Shared | undefined> {
    const { projectId, subject: wanted, mayChangePeriod } = share
    const viewer = viewerOf(projectId, share.id)
    const project = this.ground.projects.numbered(projectId)
    const found = await this.subjectOf(projectId, wanted, viewer)
    if (!project || !found) return undefined
    const look = period === undefined ? found.look : { ...found.look, period }
    const { currency, weekStart } = this.ground.insights.settingsOf(project)
    const looked = wanted.kind === 'web' ? {} : { [wanted.kind]: wanted.id }
    return {
      ...found,
      look,
      mayChangePeriod,
      ground: { timeZone: project.timeZone, currency, weekStart },
      notes: await this.ground.annotations.notesFor(projectId, looked, viewer),
      ask: onlyOn(found.cards, this.ground.dashboards.asking(projectId, look, viewer)),
    }
  }

  private async subjectOf(
    projectId: number,
    wanted: ShareSubject,
    viewer: Viewer,
  ): Promise<Pick<Shared, 'name' | 'description' | 'cards' | 'look'> | undefined> {
    if (wanted.kind === 'web') return website
    if (wanted.kind === 'dashboard') {
      const dashboard = await this.ground.dashboards.find(projectId, wanted.id, viewer)
      return dashboard?.archivedAt ? undefined : dashboard
    }
    const insight = await this.ground.savedInsights.find(projectId, wanted.id, viewer)
    if (!insight || insight.archivedAt) return undefined
    const { name, description } = insight
    return { name, description, cards: [wholly(wanted.id)], look: noLook }
  }

  private async find(projectId: number, id: string): Promise<KeptShare | undefined> {
    const kept = await findShare(this.ground.store, { id })
    return kept?.share.projectId === projectId ? kept : undefined
  }

  private async changed(
    { share, ...secrets }: KeptShare,
    { password, lastDay, ...rest }: ShareChange,
  ): Promise<Outcome<{ kept: KeptShare }>> {
    const ends = lastDay === undefined ? share : this.endOf(share.projectId, lastDay)
    if ('done' in ends && !ends.done) return ends
    const passwordHash = await hashOf(password, secrets.passwordHash)
    const after = { ...share, ...rest, endsAt: ends.endsAt, hasPassword: passwordHash !== undefined }
    return { done: true, kept: { ...secrets, share: after, passwordHash } }
  }

  private endOf(projectId: number, lastDay: string | null): Outcome<{ endsAt: Date | undefined }> {
    if (lastDay === null) return { done: true, endsAt: undefined }
    const project = this.ground.projects.numbered(projectId)
    if (!project) return missing
    const calendar = calendarOf(project, this.ground.world.now())
    const { until } = periodOn(calendar, `${lastDay}..${lastDay}`)
    return until > calendar.now
      ? { done: true, endsAt: until }
      : undone('This day is over. Choose today or a later one.', 'lastDay')
  }

  private async save(
    action: Extract<AuditAction, `share.${string}`>,
    kept: KeptShare,
    viewer: Viewer,
    before?: KeptShare,
  ): Promise<void> {
    const { store, world } = this.ground
    const { share } = kept
    await store.transaction(async (transaction) => {
      await saveShare(transaction, kept)
      const entry = { action, subject: share.name, projectId: share.projectId, after: shown(share) }
      const deed = before ? { ...entry, before: shown(before.share) } : entry
      await record(transaction, deed, viewer, world.now())
    })
  }
}

const noLook: Look = { refreshMinutes: 0 }

/** An insight that is shared alone fills the page. */
const wholly = (insight: string): Card => ({
  id: 'insight',
  place: { x: 0, y: 0, w: 12, h: 7 },
  content: { type: 'insight', insight },
})

/** What is shown of a website to people outside. */
const website: Pick<Shared, 'name' | 'description' | 'cards' | 'look'> = {
  name: 'Web analytics',
  description: '',
  cards: templates.website.cards.map((card, i) => ({
    ...card,
    id: `web-${i + 1}`,
    place: card.place ?? { x: 0, y: 0, w: 12, h: 5 },
  })),
  look: noLook,
}

/** Whatever else is asked for is on somebody's mind who pretends to be a page of ours. */
const onlyOn =
  (cards: readonly Card[], ask: AskCard): AskCard =>
  async (card, options) => {
    const own = cards.find(({ id }) => id === card.id)
    // what an answer cost, and how it was asked, is not shared
    return own ? await ask(own, { isFresh: options?.isFresh ?? false }) : undone('There is no such card.')
  }

/** May read, and nothing else, in this project alone. */
const viewerOf = (projectId: number, id = ''): KeyViewer => ({
  kind: 'key',
  keyId: `share ${id}`,
  name: 'A share',
  projectId,
  scopes: new Set(['events:read']),
  origin: nowhere,
})

const calendarOf = ({ timeZone }: Project, now: Date): Calendar => ({ timeZone, weekStart: 'monday', now })

/** Nobody without the store could make it up, and it is worth nothing once the password is another. */
const proofOf = (token: string, passwordHash: string): string => fingerprint(`${token} ${passwordHash}`)

const isProof = (given: string | undefined, wanted: string): boolean =>
  given?.length === wanted.length && timingSafeEqual(Buffer.from(given), Buffer.from(wanted))

async function hashOf(
  password: string | null | undefined,
  before: string | undefined,
): Promise<string | undefined> {
  if (password === undefined) return before
  return password === null ? undefined : await hashPassword(password)
}

const shown = ({ subject: what, hasPassword, mayChangePeriod, frameHosts, endsAt, revokedAt }: Share) => ({
  subject: what,
  hasPassword,
  mayChangePeriod,
  frameHosts,
  endsAt,
  revokedAt,
})
