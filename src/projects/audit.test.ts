import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  memberHelpers,
  onePixelPng,
  openTestProduct,
  requireDone,
  type TestProduct,
  password,
  present,
  testOrigin,
  anApp,
  aWorld,
} from '#test/fixture'
import type { Engine } from '#engine/engine'
import { render, type Sql } from '#engine/sql'
import type { Schedule } from '#flags/schedules'
import { openProduct } from '#server/product'
import { personIdOf } from '#persons/person'
import { saveClaims } from '#persons/store'
import { openStore } from '#store/open'
import { OidcSignIn } from './oidc-sign-in'
import { type MemberViewer, operator } from './access'
import type { AuditEntry } from './audit'
import { auditActions, type AuditAction } from './audit-actions'
import type { Member } from './members'
import type { Project } from './project'

const newPassword = 'harbour thistle clock'

interface Stage extends TestProduct {
  acme: Project
  ana: Member
  ben: Member
  viewer: MemberViewer
}

type Cast = Pick<Stage, 'acme' | 'ana' | 'ben' | 'viewer'>

/** The store that every test begins with a copy of: hashing two passwords takes longer than most tests. */
const original = mkdtempSync(join(tmpdir(), 'tilth-'))
afterAll(() => rmSync(original, { recursive: true }))

let cast: Cast | undefined

/** Ana owns Acme and is signed in; Ben edits it. */
beforeAll(async () => {
  const product = await openProduct({ store: { folder: original }, world: aWorld('cast') })
  const { aProject, aMember, signedIn } = memberHelpers(product)
  const acme = await aProject()
  const ana = await aMember({ role: 'owner', name: 'Ana Berg' })
  const ben = await aMember({ role: 'editor', name: 'Ben Cole' })
  cast = { acme, ana, ben, viewer: await signedIn(ana) }
  await product.close()
})

const aStage = async (): Promise<Stage> => ({
  ...(await openTestProduct({ like: original })),
  ...present(cast),
})

const definition = { did: { event: 'buy' } }
const somebody = '00000000-0000-4000-8000-000000000001'

/** No more of it is needed. */
const thatKnowsSomebody = {
  query: async () => [{ times: 1, ids: ['ana'], properties: {} }],
} as unknown as Engine

type Written = Partial<Pick<AuditEntry, 'subject' | 'before' | 'after' | 'projectId' | 'actor' | 'origin'>>

/** Nobody's click: what is done after a while, by the settings. */
const byTheClock = {
  actor: { kind: 'operator', id: 'operator', name: 'retention' },
  origin: operator('retention').origin,
} as const

/** Three old events, until something is deleted. */
function thatForgets(): Engine {
  let events = 3
  const told = [{ events: 3, first: '2026-01-01T10:00:00.000Z' }]
  const query = async (statement: Sql) => {
    const { text } = render(statement)
    return text.includes('min(timestamp) as first')
      ? told
      : text.includes('count() as events')
        ? [{ events }]
        : []
  }
  const command = async () => void (events = 0)
  return { query, command } as unknown as Engine // no more of it is needed
}

const aSavedMetric = { name: 'Orders', measured: { type: 'conversion', happening: { event: 'ordered' } } }
const thanks = { name: 'Ordered', goal: { type: 'page', path: '/thanks' } }
const pros = { name: 'Pros', question: { search: 'pro', columns: ['last', 'property:plan'] } }
const ordered = { type: 'event', name: 'order', description: 'An order was paid.' }
const { name: _ordered, ...orderedFields } = { ...ordered, isHidden: false, isVerified: false }

const germans = {
  name: 'Germans',
  filter: { type: 'session', key: '$session_country', operator: 'exact', value: ['DE'] },
}
const anInsight = { name: 'Visitors', question: { kind: 'totals' } }

const anAlert = {
  name: 'Fewer views',
  watched: { type: 'event', event: '$pageview' },
  condition: { type: 'absence', minutes: 60 },
  recipients: [{ by: 'webhook', url: 'https://hooks.example/secret-path' }],
}
const aReport = {
  name: 'Our week',
  about: { type: 'web' },
  recipients: [{ by: 'mail', address: 'eve@example.com' }],
}

async function fewerViews({ product, viewer }: Stage): Promise<string> {
  return requireDone(await product.alerts.create(1, anAlert, viewer)).alert.id
}

async function ourWeek({ product, viewer }: Stage): Promise<string> {
  return requireDone(await product.reports.create(1, aReport, viewer)).report.id
}

const anImport = { source: 'posthog', name: 'events.jsonl', fingerprint: 'a' }
const aDashboard = { name: 'Growth', cards: [{ content: { type: 'text', text: 'Words' } }] }
const aShare = { subject: { kind: 'web' }, frameHosts: ['a.example'] }
const released = { at: '2026-03-01T10:00:00Z', text: 'Released' }

async function growth({ product, viewer }: Stage): Promise<string> {
  return requireDone(await product.dashboards.create(1, aDashboard, viewer)).dashboard.id
}

/** All of it is done in one life, too: then there are more of them. */
const another = (name: string, others: number): string => (others === 0 ? name : `${name}-${others}`)

async function checkout({ product, viewer }: Stage): Promise<string> {
  const key = another('checkout', (await product.flags.list(1, viewer)).length)
  return requireDone(await product.flags.create(1, { key }, viewer)).flag.key
}

async function aSurvey({ product, viewer }: Stage): Promise<string> {
  const input = { name: 'Why?', content: { questions: [{ kind: 'open', text: 'Why?' }] } }
  return requireDone(await product.surveys.create(1, input, viewer)).survey.id
}

async function aRunningSurvey(stage: Stage): Promise<string> {
  return requireDone(await stage.product.surveys.launch(1, await aSurvey(stage), {}, stage.viewer)).survey.id
}

async function aStoppedSurvey(stage: Stage): Promise<string> {
  return requireDone(await stage.product.surveys.stop(1, await aRunningSurvey(stage), stage.viewer)).survey.id
}

async function archived(stage: Stage): Promise<string> {
  const key = await checkout(stage)
  return requireDone(await stage.product.flags.archive(1, key, stage.viewer, { anyway: true })).flag.key
}

async function inApril(stage: Stage): Promise<Schedule> {
  const steps = [{ at: '2026-04-01T10:00:00Z', isOn: true }]
  const key = await checkout(stage)
  return requireDone(await stage.product.schedules.create(1, key, { steps }, stage.viewer)).schedule
}

async function staging({ product, viewer }: Stage): Promise<string> {
  const name = another('staging', (await product.environments.list(1, viewer)).length - 1)
  return requireDone(await product.environments.create(1, { name }, viewer)).environment.name
}

async function spring({ product, viewer }: Stage): Promise<number> {
  return requireDone(await product.holdouts.create(1, { name: 'Spring', percentage: 5 }, viewer)).holdout.id
}

async function checkoutLayer({ product, viewer }: Stage): Promise<number> {
  return requireDone(await product.layers.create(1, { name: 'Checkout' }, viewer)).layer.id
}

async function aGuard(stage: Stage): Promise<string> {
  const flag = await checkout(stage)
  requireDone(await stage.product.flags.turn(1, flag, { isOn: false }, stage.viewer))
  const wanted = { flag, steps: [{ percentage: 10, afterMinutes: 60 }], metrics: [{ type: 'exceptions' }] }
  return requireDone(await stage.product.guards.create(1, wanted, stage.viewer)).guard.id
}

async function anImage(product: Stage['product']): Promise<string> {
  const kept = await product.images.keep(1, { name: 'dot.png', bytes: onePixelPng }, operator())
  return requireDone(kept).image.file
}

async function aComment({ comments }: Stage['product']): Promise<string> {
  const post = { projectId: 1, id: '1', allowsComments: true }
  return requireDone(await comments.write(post, { name: 'Ben', text: 'Thank you.' })).comment.id
}

/** A new one, should another deed have set one up before. */
async function withApp({ product, world, viewer }: Stage) {
  await product.secondFactors.removeApp(viewer)
  return await anApp({ product, world }, viewer)
}

/** Another deed may have changed the account before. */
async function secondStep({ product, ana, acme, viewer }: Stage): Promise<string> {
  const all = await product.members.list(acme.id, viewer)
  const { email } = present(all.find(({ member }) => member.id === ana.id)).member
  const first = await product.signIn.signIn({ email, password }, viewer.origin)
  const outcome = first.done
    ? first
    : await product.signIn.signIn({ email, password: newPassword }, viewer.origin)
  return present(requireDone(outcome).step).token
}

const aUser = {
  issuer: 'https://id.example',
  subject: 'user-7',
  name: undefined,
  groups: [],
  authenticatedAt: undefined,
  hasSecondFactor: false,
}
const noGroups = {
  issuer: aUser.issuer,
  clientId: 'tilth',
  clientSecret: '',
  name: 'Acme ID',
  domains: [],
  mayJoin: true,
  isRequired: false,
  groupsClaim: 'groups',
  groupRoles: [],
}

/** An experiment on a flag of its own. */
async function anExperiment({ product, viewer }: Stage, kind = 'fixed'): Promise<string> {
  const key = another('trial', (await product.flags.list(1, viewer)).length)
  const variants = [
    { key: 'control', percentage: 50 },
    { key: 'test', percentage: 50 },
  ]
  requireDone(await product.flags.create(1, { key, kind: 'variants', variants }, viewer))
  requireDone(await product.flags.turn(1, key, { isOn: true }, viewer))
  const metrics = [{ name: 'Orders', measured: { type: 'conversion', happening: { event: 'ordered' } } }]
  const input = { name: 'Checkout', kind, flag: key, metrics }
  return requireDone(await product.experiments.create(1, input, viewer)).experiment.id
}

async function aRunningExperiment(stage: Stage, kind?: string): Promise<string> {
  const id = await anExperiment(stage, kind)
  return requireDone(await stage.product.experiments.start(1, id, {}, stage.viewer)).experiment.id
}

/** Everything that is written down has a line here, or the compiler asks for one. */
async function hello({ product, viewer }: Stage): Promise<string> {
  return requireDone(await product.posts.create(1, { title: 'Hello', body: 'Words' }, viewer)).post.id
}

async function published(stage: Stage): Promise<string> {
  return requireDone(await stage.product.posts.publish(1, await hello(stage), {}, stage.viewer)).post.id
}

async function editedUnpublished(stage: Stage): Promise<string> {
  const change = { title: 'Bye', keepUnpublished: true }
  return requireDone(await stage.product.posts.change(1, await published(stage), change, stage.viewer)).post
    .id
}

async function tried(stage: Stage): Promise<string> {
  const wanted = { variants: [{ title: 'Hello, you' }] }
  return requireDone(await stage.product.posts.startTrial(1, await published(stage), wanted, stage.viewer))
    .post.id
}

async function eve({ product, viewer }: Stage): Promise<string> {
  const slug = another('eve', (await product.authors.list(1, viewer)).length)
  return requireDone(await product.authors.create(1, { name: 'Eve', slug }, viewer)).author.slug
}

async function subscribed({ product, viewer }: Stage) {
  const addresses = `${another('ana', (await product.audit.list(1, {}, viewer)).length)}@example.com`
  const input = { addresses, consent: 'They agreed at the counter.' }
  return requireDone(await product.subscriptions.importAddresses(1, 'newsletter', input, viewer))
}

async function letterSent(stage: Stage) {
  const { viewer, folder, world } = stage
  await subscribed(stage)
  const post = await published(stage)
  const mailing = await openProduct({
    store: { folder },
    world: { now: world.now, random: aWorld('posts by e-mail').random },
    outbound: { allow: undefined, canMail: true },
  })
  requireDone(await mailing.subscriptions.changeSettings(1, { postalAddress: '1 Main Street' }, viewer))
  const outcome = await mailing.letters.send(1, { post, subjects: ['Hello'] }, viewer)
  await mailing.close()
  return outcome
}

async function redirected({ product, viewer }: Stage): Promise<string> {
  const from = another('/old', (await product.redirects.list(1, viewer)).length)
  return requireDone(await product.redirects.create(1, { from, to: '/new' }, viewer)).redirect.from
}

const deeds: Record<AuditAction, { does: (stage: Stage) => unknown; writes: (stage: Stage) => Written }> = {
  'project.create': {
    does: ({ product, viewer }) => product.projects.create({ name: 'Second' }, viewer),
    writes: () => ({
      subject: 'Second',
      projectId: 2,
      after: { name: 'Second', slug: 'second', timeZone: 'UTC', writeKey: expect.stringMatching(/^phc_/) },
    }),
  },
  'project.change': {
    does: ({ product, viewer }) =>
      product.projects.change(1, { name: 'New', timeZone: 'Asia/Tokyo' }, viewer),
    writes: () => ({
      subject: 'New',
      before: expect.objectContaining({ name: 'Acme', timeZone: 'UTC' }),
      after: expect.objectContaining({ name: 'New', timeZone: 'Asia/Tokyo' }),
    }),
  },
  'project.archive': {
    does: ({ product, viewer }) => product.projects.archive(1, viewer),
    writes: ({ world }) => ({
      subject: 'Acme',
      before: expect.not.objectContaining({ archivedAt: expect.anything() }),
      after: expect.objectContaining({ archivedAt: world.now().toISOString() }),
    }),
  },
  'project.restore': {
    does: async ({ product, viewer }) => {
      await product.projects.archive(1, viewer)
      return await product.projects.restore(1, viewer)
    },
    writes: () => ({
      before: expect.objectContaining({ archivedAt: expect.anything() }),
      after: expect.not.objectContaining({ archivedAt: expect.anything() }),
    }),
  },
  'write-key.renew': {
    does: ({ product, viewer }) => product.projects.renewWriteKey(1, viewer),
    writes: ({ product, acme }) => ({
      subject: 'Acme',
      before: expect.objectContaining({ writeKey: acme.writeKey }),
      after: expect.objectContaining({ writeKey: product.projects.list(operator())[0]?.writeKey }),
    }),
  },
  'member.join': {
    does: async ({ product, viewer, ben, signedIn }) => {
      await product.members.remove(1, ben.id, viewer)
      const { token } = requireDone(await product.invitations.create(1, { role: 'viewer' }, viewer))
      return await product.invitations.accept(token, await signedIn(ben))
    },
    writes: ({ ben }) => ({ subject: ben.email, after: { role: 'viewer' } }),
  },
  'member.role': {
    does: ({ product, viewer, ben }) => product.members.changeRole(1, ben.id, { role: 'viewer' }, viewer),
    writes: ({ ben }) => ({ subject: ben.email, before: { role: 'editor' }, after: { role: 'viewer' } }),
  },
  'member.remove': {
    does: ({ product, viewer, ben }) => product.members.remove(1, ben.id, viewer),
    writes: ({ ben }) => ({ subject: ben.email, before: { role: 'editor' }, after: undefined }),
  },
  'member.change': {
    does: ({ product, viewer }) =>
      product.members.changeAccount({ name: 'Ana', email: 'ana@new.example' }, viewer),
    writes: ({ ana }) => ({
      subject: 'ana@new.example',
      before: { name: ana.name, email: ana.email },
      after: { name: 'Ana', email: 'ana@new.example' },
      projectId: undefined,
    }),
  },
  'member.password': {
    does: ({ product, viewer }) => product.members.changePassword({ password: newPassword }, viewer),
    writes: ({ ana }) => ({ subject: ana.email, before: undefined, after: undefined, projectId: undefined }),
  },
  'invitation.create': {
    does: ({ product, viewer }) =>
      product.invitations.create(1, { role: 'viewer', email: 'cleo@acme.example' }, viewer),
    writes: () => ({ subject: 'cleo@acme.example', after: { role: 'viewer' } }),
  },
  'invitation.revoke': {
    does: async ({ product, viewer }) => {
      const { invitation } = requireDone(await product.invitations.create(1, { role: 'viewer' }, viewer))
      return await product.invitations.revoke(1, invitation.id, viewer)
    },
    writes: () => ({ subject: 'anybody with the link, as viewer' }),
  },
  'key.create': {
    does: ({ product, viewer }) => product.keys.create(1, { name: 'CI', scopes: ['project:read'] }, viewer),
    writes: () => ({
      subject: 'CI',
      after: { lastFour: expect.stringMatching(/^.{4}$/), scopes: ['project:read'] },
    }),
  },
  'key.revoke': {
    does: async ({ product, viewer }) => {
      const { key } = requireDone(await product.keys.create(1, { name: 'CI', scopes: 'every' }, viewer))
      return await product.keys.revoke(1, key.id, viewer)
    },
    writes: () => ({ subject: 'CI', before: { lastFour: expect.any(String), scopes: 'every' } }),
  },
  'goal.create': {
    does: ({ product, viewer }) => product.goals.create(1, thanks, viewer),
    writes: () => ({ subject: 'Ordered', after: thanks }),
  },
  'goal.change': {
    does: async ({ product, viewer }) => {
      const { goal } = requireDone(await product.goals.create(1, thanks, viewer))
      return await product.goals.change(1, goal.id, { name: 'Bought' }, viewer)
    },
    writes: () => ({ subject: 'Bought', before: thanks, after: { ...thanks, name: 'Bought' } }),
  },
  'goal.remove': {
    does: async ({ product, viewer }) => {
      const { goal } = requireDone(await product.goals.create(1, thanks, viewer))
      return await product.goals.remove(1, goal.id, viewer)
    },
    writes: () => ({ subject: 'Ordered', before: thanks }),
  },
  'personList.create': {
    does: ({ product, viewer }) => product.personLists.create(1, pros, viewer),
    writes: () => ({ subject: 'Pros', after: { ...pros, isShared: true } }),
  },
  'personList.change': {
    does: async ({ product, viewer }) => {
      const { personList } = requireDone(await product.personLists.create(1, pros, viewer))
      return await product.personLists.change(1, personList.id, { name: 'Payers' }, viewer)
    },
    writes: () => ({
      subject: 'Payers',
      before: { ...pros, isShared: true },
      after: { ...pros, name: 'Payers', isShared: true },
    }),
  },
  'personList.remove': {
    does: async ({ product, viewer }) => {
      const { personList } = requireDone(await product.personLists.create(1, pros, viewer))
      return await product.personLists.remove(1, personList.id, viewer)
    },
    writes: () => ({ subject: 'Pros', before: { ...pros, isShared: true } }),
  },
  'definition.create': {
    does: ({ product, viewer }) => product.dataDefinitions.create(1, ordered, viewer),
    writes: () => ({ subject: 'order', after: orderedFields }),
  },
  'definition.change': {
    does: async ({ product, viewer }) => {
      const { definition: made } = requireDone(
        await product.dataDefinitions.create(1, { ...ordered, name: 'refund' }, viewer),
      )
      return await product.dataDefinitions.change(1, made.id, { isVerified: true }, viewer)
    },
    writes: () => ({
      subject: 'refund',
      before: orderedFields,
      after: { ...orderedFields, isVerified: true },
    }),
  },
  'definition.remove': {
    does: async ({ product, viewer }) => {
      const { definition: made } = requireDone(
        await product.dataDefinitions.create(1, { ...ordered, name: 'visit' }, viewer),
      )
      return await product.dataDefinitions.remove(1, made.id, viewer)
    },
    writes: () => ({ subject: 'visit', before: orderedFields }),
  },
  'segment.create': {
    does: ({ product, viewer }) => product.segments.create(1, germans, viewer),
    writes: () => ({ subject: 'Germans', after: { ...germans, isShared: true } }),
  },
  'segment.change': {
    does: async ({ product, viewer }) => {
      const { segment } = requireDone(await product.segments.create(1, germans, viewer))
      return await product.segments.change(1, segment.id, { name: 'From Germany' }, viewer)
    },
    writes: () => ({
      subject: 'From Germany',
      before: { ...germans, isShared: true },
      after: { ...germans, name: 'From Germany', isShared: true },
    }),
  },
  'segment.remove': {
    does: async ({ product, viewer }) => {
      const { segment } = requireDone(await product.segments.create(1, germans, viewer))
      return await product.segments.remove(1, segment.id, viewer)
    },
    writes: () => ({ subject: 'Germans', before: { ...germans, isShared: true } }),
  },
  'insight.create': {
    does: ({ product, viewer }) => product.savedInsights.create(1, anInsight, viewer),
    writes: () => ({ subject: 'Visitors', after: expect.objectContaining({ name: 'Visitors' }) }),
  },
  'insight.change': {
    does: async ({ product, viewer }) => {
      const { insight } = requireDone(await product.savedInsights.create(1, anInsight, viewer))
      return await product.savedInsights.change(1, insight.id, { name: 'Guests' }, viewer)
    },
    writes: () => ({
      subject: 'Guests',
      before: expect.objectContaining({ name: 'Visitors' }),
      after: expect.objectContaining({ name: 'Guests' }),
    }),
  },
  'insight.archive': {
    does: async ({ product, viewer }) => {
      const { insight } = requireDone(await product.savedInsights.create(1, anInsight, viewer))
      return await product.savedInsights.archive(1, insight.id, {}, viewer)
    },
    writes: ({ world }) => ({
      subject: 'Visitors',
      after: expect.objectContaining({ archivedAt: world.now().toISOString() }),
    }),
  },
  'insight.restore': {
    does: async ({ product, viewer }) => {
      const { insight } = requireDone(await product.savedInsights.create(1, anInsight, viewer))
      await product.savedInsights.archive(1, insight.id, {}, viewer)
      return await product.savedInsights.restore(1, insight.id, viewer)
    },
    writes: () => ({
      subject: 'Visitors',
      before: expect.objectContaining({ archivedAt: expect.anything() }),
    }),
  },
  'image.add': {
    does: ({ product, viewer }) => product.images.keep(1, { name: 'dot.png', bytes: onePixelPng }, viewer),
    writes: () => ({ subject: 'dot.png', projectId: 1 }),
  },
  'image.change': {
    does: async ({ product, viewer }) =>
      product.imageLibrary.change(1, await anImage(product), { alt: 'A dot' }, viewer),
    writes: () => ({
      subject: 'dot.png',
      before: { alt: '' },
      after: { alt: 'A dot' },
    }),
  },
  'image.remove': {
    does: async ({ product, viewer }) => product.imageLibrary.remove(1, await anImage(product), {}, viewer),
    writes: () => ({ subject: 'dot.png', projectId: 1 }),
  },
  'comment.decide': {
    does: async ({ product, viewer }) =>
      product.comments.decide(1, await aComment(product), { state: 'shown' }, viewer),
    writes: () => ({ subject: 'Ben', before: { state: 'waiting' }, after: { state: 'shown' } }),
  },
  'comment.remove': {
    does: async ({ product, viewer }) => product.comments.remove(1, await aComment(product), viewer),
    writes: () => ({ subject: 'Ben', projectId: 1 }),
  },
  'metric.create': {
    does: ({ product, viewer }) => product.savedMetrics.create(1, aSavedMetric, viewer),
    writes: () => ({ subject: 'Orders', after: expect.objectContaining({ goal: 'increase' }) }),
  },
  'metric.change': {
    does: async ({ product, viewer }) => {
      const saved = requireDone(await product.savedMetrics.create(1, aSavedMetric, viewer))
      return await product.savedMetrics.change(1, saved.metric.id, { goal: 'decrease' }, viewer)
    },
    writes: () => ({
      subject: 'Orders',
      before: expect.objectContaining({ goal: 'increase' }),
      after: expect.objectContaining({ goal: 'decrease' }),
    }),
  },
  'metric.remove': {
    does: async ({ product, viewer }) => {
      const saved = requireDone(await product.savedMetrics.create(1, aSavedMetric, viewer))
      return await product.savedMetrics.remove(1, saved.metric.id, viewer)
    },
    writes: () => ({ subject: 'Orders', before: expect.objectContaining({ goal: 'increase' }) }),
  },
  'experiment.create': {
    does: (stage) => anExperiment(stage),
    writes: () => ({ subject: 'Checkout', after: expect.objectContaining({ control: 'control' }) }),
  },
  'experiment.change': {
    does: async (stage) =>
      stage.product.experiments.change(1, await anExperiment(stage), { name: 'Till' }, stage.viewer),
    writes: () => ({
      subject: 'Till',
      before: expect.objectContaining({ name: 'Checkout' }),
      after: expect.objectContaining({ name: 'Till' }),
    }),
  },
  'experiment.start': {
    does: async (stage) => stage.product.experiments.start(1, await anExperiment(stage), {}, stage.viewer),
    writes: ({ world }) => ({
      subject: 'Checkout',
      after: expect.objectContaining({ startedAt: world.now().toISOString() }),
    }),
  },
  'experiment.pause': {
    does: async (stage) =>
      stage.product.bandits.pause(1, await aRunningExperiment(stage, 'bandit'), stage.viewer),
    writes: ({ viewer }) => ({ subject: 'Checkout', after: { why: `${viewer.name} paused it.` } }),
  },
  'experiment.resume': {
    does: async (stage) => {
      const id = await aRunningExperiment(stage, 'bandit')
      requireDone(await stage.product.bandits.pause(1, id, stage.viewer))
      return await stage.product.bandits.resume(1, id, stage.viewer)
    },
    writes: ({ viewer }) => ({ subject: 'Checkout', after: { why: `${viewer.name} resumed it.` } }),
  },
  'experiment.end': {
    does: async (stage) =>
      stage.product.experiments.end(1, await aRunningExperiment(stage), {}, stage.viewer),
    writes: () => ({
      subject: 'Checkout',
      after: expect.objectContaining({ conclusion: expect.objectContaining({ outcome: 'stopped' }) }),
    }),
  },
  'experiment.ship': {
    does: async (stage) =>
      stage.product.experiments.ship(1, await aRunningExperiment(stage), { variant: 'test' }, stage.viewer),
    writes: () => ({
      subject: 'Checkout',
      after: expect.objectContaining({ conclusion: expect.objectContaining({ variant: 'test' }) }),
    }),
  },
  'experiment.archive': {
    does: async (stage) => stage.product.experiments.archive(1, await anExperiment(stage), stage.viewer),
    writes: () => ({
      subject: 'Checkout',
      after: expect.objectContaining({ archivedAt: expect.anything() }),
    }),
  },
  'experiment.restore': {
    does: async (stage) => {
      const id = await anExperiment(stage)
      requireDone(await stage.product.experiments.archive(1, id, stage.viewer))
      return await stage.product.experiments.restore(1, id, stage.viewer)
    },
    writes: () => ({
      subject: 'Checkout',
      before: expect.objectContaining({ archivedAt: expect.anything() }),
    }),
  },
  'survey.create': {
    does: (stage) => aSurvey(stage),
    writes: () => ({ subject: 'Why?', after: expect.objectContaining({ questions: ['Why?'], version: 1 }) }),
  },
  'survey.change': {
    does: async (stage) => {
      const change = { name: 'How?', hostedPage: { pin: '1234' } }
      return stage.product.surveys.change(1, await aSurvey(stage), change, stage.viewer)
    },
    writes: () => ({
      subject: 'How?',
      before: expect.objectContaining({ name: 'Why?' }),
      after: expect.objectContaining({
        name: 'How?',
        hostedPage: { isOpen: false, needsLink: false, mayBeEmbedded: false, hasPin: true },
      }),
    }),
  },
  'survey.remove': {
    does: async (stage) => stage.product.surveys.remove(1, await aSurvey(stage), stage.viewer),
    writes: () => ({ subject: 'Why?', before: expect.objectContaining({ name: 'Why?' }), after: undefined }),
  },
  'survey.launch': {
    does: async (stage) => stage.product.surveys.launch(1, await aSurvey(stage), {}, stage.viewer),
    writes: ({ world }) => ({
      subject: 'Why?',
      after: expect.objectContaining({ startsAt: world.now().toISOString() }),
    }),
  },
  'survey.stop': {
    does: async (stage) => stage.product.surveys.stop(1, await aRunningSurvey(stage), stage.viewer),
    writes: ({ world }) => ({
      subject: 'Why?',
      after: expect.objectContaining({ endsAt: world.now().toISOString() }),
    }),
  },
  'survey.resume': {
    does: async (stage) => stage.product.surveys.resume(1, await aStoppedSurvey(stage), stage.viewer),
    writes: () => ({ subject: 'Why?', before: expect.objectContaining({ endsAt: expect.anything() }) }),
  },
  'survey.archive': {
    does: async (stage) => stage.product.surveys.archive(1, await aSurvey(stage), stage.viewer),
    writes: ({ world }) => ({
      subject: 'Why?',
      after: expect.objectContaining({ archivedAt: world.now().toISOString() }),
    }),
  },
  'survey.restore': {
    does: async (stage) => {
      const id = await aSurvey(stage)
      requireDone(await stage.product.surveys.archive(1, id, stage.viewer))
      return await stage.product.surveys.restore(1, id, stage.viewer)
    },
    writes: () => ({ subject: 'Why?', before: expect.objectContaining({ archivedAt: expect.anything() }) }),
  },
  'survey.create-links': {
    does: async (stage) =>
      stage.product.surveyLinks.create(1, await aSurvey(stage), { count: 2 }, stage.viewer),
    writes: () => ({ subject: 'Why?', after: { links: 2 } }),
  },
  'survey.revoke-link': {
    does: async (stage) => {
      const id = await aSurvey(stage)
      const [link] = requireDone(
        await stage.product.surveyLinks.create(1, id, { count: 1 }, stage.viewer),
      ).links
      return stage.product.surveyLinks.revoke(1, id, present(link).id, stage.viewer)
    },
    writes: () => ({ subject: 'Why?', before: { link: expect.any(String) } }),
  },
  'survey.mail': {
    does: async (stage) => {
      const id = await aRunningSurvey(stage)
      const { product, viewer } = stage
      requireDone(await product.surveys.change(1, id, { hostedPage: { isOpen: true } }, viewer))
      const letters = { subject: 'Hello', addresses: 'ana@example.com' }
      const mailing = await openProduct({
        store: { folder: stage.folder },
        world: { now: stage.world.now, random: aWorld('letters').random },
        outbound: { allow: undefined, canMail: true },
      })
      const outcome = await mailing.surveyMailings.send(1, id, letters, viewer)
      await mailing.close()
      return outcome
    },
    writes: () => ({ subject: 'Why?', after: { subject: 'Hello', letters: 1 } }),
  },
  'survey.set-webhook': {
    does: async (stage) => {
      const webhook = { url: 'https://example.com/hook' }
      return stage.product.surveyWebhooks.set(1, await aSurvey(stage), webhook, stage.viewer)
    },
    writes: () => ({ subject: 'Why?', after: { url: 'https://example.com/…' } }),
  },
  'survey.remove-webhook': {
    does: async (stage) => {
      const id = await aSurvey(stage)
      const webhook = { url: 'https://example.com/hook' }
      requireDone(await stage.product.surveyWebhooks.set(1, id, webhook, stage.viewer))
      return stage.product.surveyWebhooks.remove(1, id, stage.viewer)
    },
    writes: () => ({ subject: 'Why?', before: { url: 'https://example.com/…' } }),
  },
  'survey.remove-response': {
    does: async (stage) =>
      stage.product.surveyResults.removeResponse(1, await aSurvey(stage), 'one', stage.viewer),
    writes: () => ({ subject: 'Why?', after: { submission: 'one' } }),
  },
  'survey.restore-response': {
    does: async (stage) => {
      const id = await aSurvey(stage)
      requireDone(await stage.product.surveyResults.removeResponse(1, id, 'one', stage.viewer))
      return await stage.product.surveyResults.restoreResponse(1, id, 'one', stage.viewer)
    },
    writes: () => ({ subject: 'Why?', after: { submission: 'one' } }),
  },
  'flag.create': {
    does: (stage) => checkout(stage),
    writes: () => ({ subject: 'checkout', after: expect.objectContaining({ key: 'checkout', version: 1 }) }),
  },
  'flag.change': {
    does: async (stage) =>
      stage.product.flags.change(1, await checkout(stage), { owner: 'Ana' }, stage.viewer),
    writes: () => ({
      subject: 'checkout',
      before: expect.objectContaining({ owner: '', version: 1 }),
      after: expect.objectContaining({ owner: 'Ana', version: 2 }),
    }),
  },
  'flag.turn': {
    does: async (stage) => stage.product.flags.turn(1, await checkout(stage), { isOn: true }, stage.viewer),
    writes: () => ({
      subject: 'checkout',
      before: expect.objectContaining({ environments: {} }),
      after: expect.objectContaining({
        environments: { production: expect.objectContaining({ isOn: true }) },
      }),
    }),
  },
  'flag.archive': {
    does: async (stage) => archived(stage),
    writes: ({ world }) => ({
      subject: 'checkout',
      after: expect.objectContaining({ archivedAt: world.now().toISOString() }),
    }),
  },
  'flag.restore': {
    does: async (stage) => stage.product.flags.restore(1, await archived(stage), stage.viewer),
    writes: () => ({
      subject: 'checkout',
      before: expect.objectContaining({ archivedAt: expect.anything() }),
    }),
  },
  'flag.revert': {
    does: async (stage) => {
      const key = await checkout(stage)
      await stage.product.flags.change(1, key, { owner: 'Ana' }, stage.viewer)
      return await stage.product.flags.revert(1, key, 1, stage.viewer)
    },
    writes: () => ({
      subject: 'checkout',
      before: expect.objectContaining({ owner: 'Ana' }),
      after: expect.objectContaining({ owner: '', version: 3 }),
    }),
  },
  'flag.import': {
    does: ({ product, viewer }) =>
      product.flags.importFrom(1, { key: 'theirs', active: true, filters: { groups: [] } }, viewer),
    writes: () => ({ subject: 'theirs', after: { created: ['theirs'], changed: [] } }),
  },
  'flag.reveal': {
    does: async (stage) => stage.product.flags.reveal(1, await checkout(stage), stage.viewer),
    writes: () => ({ subject: 'checkout', before: undefined, after: undefined }),
  },
  'flag.schedule': {
    does: (stage) => inApril(stage),
    writes: () => ({
      subject: 'checkout',
      after: { environment: 'production', steps: [{ at: '2026-04-01T10:00:00.000Z', isOn: true }] },
    }),
  },
  'flag.unschedule': {
    does: async (stage) => {
      const { flagKey, id } = await inApril(stage)
      return await stage.product.schedules.remove(1, flagKey, id, stage.viewer)
    },
    writes: () => ({
      subject: 'checkout',
      before: expect.objectContaining({ environment: 'production' }),
    }),
  },
  'post.create': {
    does: (stage) => hello(stage),
    writes: () => ({
      subject: 'Hello',
      before: undefined,
      after: expect.objectContaining({ body: '5 characters', version: 1 }),
    }),
  },
  'post.change': {
    does: async (stage) => stage.product.posts.change(1, await hello(stage), { title: 'Bye' }, stage.viewer),
    writes: () => ({
      subject: 'Bye',
      before: expect.objectContaining({ title: 'Hello', version: 1 }),
      after: expect.objectContaining({ title: 'Bye', version: 2 }),
    }),
  },
  'post.edit': {
    does: (stage) => editedUnpublished(stage),
    writes: () => ({
      subject: 'Hello',
      before: expect.objectContaining({ title: 'Hello', version: 2 }),
      after: expect.objectContaining({ title: 'Bye', version: 3 }),
    }),
  },
  'post.discard': {
    does: async (stage) =>
      stage.product.posts.discardChanges(1, await editedUnpublished(stage), {}, stage.viewer),
    writes: () => ({ subject: 'Hello', after: expect.objectContaining({ title: 'Hello', version: 4 }) }),
  },
  'post.publish': {
    does: (stage) => published(stage),
    writes: ({ world }) => ({
      subject: 'Hello',
      before: expect.not.objectContaining({ publishedAt: expect.anything() }),
      after: expect.objectContaining({ publishedAt: world.now().toISOString() }),
    }),
  },
  'post.unpublish': {
    does: async (stage) => stage.product.posts.unpublish(1, await published(stage), stage.viewer),
    writes: () => ({
      subject: 'Hello',
      after: expect.not.objectContaining({ publishedAt: expect.anything() }),
    }),
  },
  'post.archive': {
    does: async (stage) => stage.product.posts.archive(1, await hello(stage), stage.viewer),
    writes: ({ world }) => ({
      subject: 'Hello',
      after: expect.objectContaining({ archivedAt: world.now().toISOString() }),
    }),
  },
  'post.restore': {
    does: async (stage) => {
      const id = await hello(stage)
      await stage.product.posts.archive(1, id, stage.viewer)
      return await stage.product.posts.restore(1, id, stage.viewer)
    },
    writes: () => ({
      subject: 'Hello',
      before: expect.objectContaining({ archivedAt: expect.anything() }),
    }),
  },
  'post.revert': {
    does: async (stage) => {
      const id = await hello(stage)
      await stage.product.posts.change(1, id, { title: 'Bye' }, stage.viewer)
      return await stage.product.posts.bringBack(1, id, 1, stage.viewer)
    },
    writes: () => ({
      subject: 'Hello',
      before: expect.objectContaining({ title: 'Bye' }),
      after: expect.objectContaining({ title: 'Hello', version: 3 }),
    }),
  },
  'post.try': {
    does: (stage) => tried(stage),
    writes: () => ({
      subject: 'Hello',
      after: expect.objectContaining({ trial: expect.objectContaining({ state: { name: 'running' } }) }),
    }),
  },
  'post.untry': {
    does: async (stage) => stage.product.posts.stopTrial(1, await tried(stage), stage.viewer),
    writes: () => ({
      subject: 'Hello',
      after: expect.objectContaining({
        trial: expect.objectContaining({ state: expect.objectContaining({ name: 'stopped' }) }),
      }),
    }),
  },
  'post.win': {
    does: async (stage) =>
      stage.product.posts.pickWinner(1, await tried(stage), { winner: 'b' }, stage.viewer),
    writes: () => ({
      subject: 'Hello, you',
      before: expect.objectContaining({ title: 'Hello' }),
      after: expect.objectContaining({ title: 'Hello, you' }),
    }),
  },
  'author.create': {
    does: (stage) => eve(stage),
    writes: () => ({
      subject: 'Eve',
      before: undefined,
      after: expect.objectContaining({ name: 'Eve', bio: '' }),
    }),
  },
  'author.change': {
    does: async (stage) => stage.product.authors.change(1, await eve(stage), { bio: 'Writes' }, stage.viewer),
    writes: () => ({
      subject: 'Eve',
      before: expect.objectContaining({ bio: '' }),
      after: expect.objectContaining({ bio: 'Writes' }),
    }),
  },
  'letter.settings': {
    does: ({ product, viewer }) =>
      product.subscriptions.changeSettings(1, { senderName: 'Acme News' }, viewer),
    writes: () => ({
      subject: 'Acme News',
      before: expect.objectContaining({ senderName: '' }),
      after: expect.objectContaining({ senderName: 'Acme News' }),
    }),
  },
  'letter.send': {
    does: (stage) => letterSent(stage),
    writes: ({ world }) => ({
      subject: 'Hello',
      after: { list: 'newsletter', subjects: ['Hello'], at: world.now().toISOString() },
    }),
  },
  'letter.cancel': {
    does: async (stage) =>
      stage.product.letters.cancel(1, requireDone(await letterSent(stage)).letter.id, stage.viewer),
    writes: () => ({ subject: 'Hello' }),
  },
  'letter-list.create': {
    does: ({ product, viewer }) =>
      product.subscriptions.createList(1, { key: 'weekly', name: 'Weekly' }, viewer),
    writes: () => ({ subject: 'Weekly' }),
  },
  'letter-list.change': {
    does: ({ product, viewer }) =>
      product.subscriptions.changeList(1, 'newsletter', { isOpen: false }, viewer),
    writes: () => ({
      subject: 'Newsletter',
      before: { key: 'newsletter', name: 'Newsletter', isOpen: true },
      after: { key: 'newsletter', name: 'Newsletter', isOpen: false },
    }),
  },
  'subscriber.import': {
    does: (stage) => subscribed(stage),
    writes: () => ({
      subject: 'newsletter',
      after: { added: 1, known: 0, left: 0, consent: 'They agreed at the counter.' },
    }),
  },
  'subscriber.export': {
    does: ({ product, viewer }) => product.subscriptions.exportList(1, 'newsletter', viewer),
    writes: () => ({ subject: 'newsletter' }),
  },
  'subscriber.remove': {
    does: async (stage) => {
      await subscribed(stage)
      const { subscriptions } = stage.product
      const listed = requireDone(await subscriptions.subscribers(1, 'newsletter', {}, stage.viewer))
      return subscriptions.remove(1, present(listed.subscribers[0]).id, stage.viewer)
    },
    writes: () => ({ subject: 'newsletter' }),
  },
  'author.remove': {
    does: async (stage) => stage.product.authors.remove(1, await eve(stage), stage.viewer),
    writes: () => ({ subject: 'Eve', before: expect.objectContaining({ name: 'Eve' }), after: undefined }),
  },
  'redirect.create': {
    does: (stage) => redirected(stage),
    writes: () => ({ subject: '/old', after: { to: '/new' } }),
  },
  'redirect.remove': {
    does: async (stage) => stage.product.redirects.remove(1, await redirected(stage), stage.viewer),
    writes: () => ({ subject: '/old', before: { to: '/new' }, after: undefined }),
  },
  'site.change': {
    does: ({ product, viewer }) => product.sites.change(1, { layout: 'cards' }, viewer),
    writes: () => ({
      subject: 'Acme',
      before: expect.objectContaining({ layout: 'list' }),
      after: expect.objectContaining({ layout: 'cards' }),
    }),
  },
  'environment.create': {
    does: (stage) => staging(stage),
    writes: () => ({
      subject: 'staging',
      after: { name: 'staging', writeKey: expect.stringMatching(/^phc_/) },
    }),
  },
  'environment.renew': {
    does: async (stage) => stage.product.environments.renewKey(1, await staging(stage), stage.viewer),
    writes: () => ({
      subject: 'staging',
      before: { name: 'staging', writeKey: expect.stringMatching(/^phc_/) },
      after: { name: 'staging', writeKey: expect.stringMatching(/^phc_/) },
    }),
  },
  'environment.remove': {
    does: async (stage) => stage.product.environments.remove(1, await staging(stage), stage.viewer),
    writes: () => ({ subject: 'staging', before: expect.objectContaining({ name: 'staging' }) }),
  },
  'holdout.create': {
    does: (stage) => spring(stage),
    writes: () => ({ subject: 'Spring', after: { name: 'Spring', percentage: 5 } }),
  },
  'holdout.change': {
    does: async (stage) =>
      stage.product.holdouts.change(1, await spring(stage), { percentage: 7.5 }, stage.viewer),
    writes: () => ({
      subject: 'Spring',
      before: { name: 'Spring', percentage: 5 },
      after: { name: 'Spring', percentage: 7.5 },
    }),
  },
  'holdout.remove': {
    does: async (stage) => stage.product.holdouts.remove(1, await spring(stage), stage.viewer),
    writes: () => ({ subject: 'Spring', before: { name: 'Spring', percentage: 5 } }),
  },
  'layer.create': {
    does: (stage) => checkoutLayer(stage),
    writes: () => ({ subject: 'Checkout', after: { name: 'Checkout' } }),
  },
  'layer.change': {
    does: async (stage) =>
      stage.product.layers.change(1, await checkoutLayer(stage), { name: 'Payment' }, stage.viewer),
    writes: () => ({ subject: 'Payment', before: { name: 'Checkout' }, after: { name: 'Payment' } }),
  },
  'layer.remove': {
    does: async (stage) => stage.product.layers.remove(1, await checkoutLayer(stage), stage.viewer),
    writes: () => ({ subject: 'Checkout', before: { name: 'Checkout' } }),
  },
  'guard.create': {
    does: (stage) => aGuard(stage),
    writes: () => ({ subject: 'checkout', after: expect.objectContaining({ environment: 'production' }) }),
  },
  'guard.change': {
    does: async (stage) =>
      stage.product.guards.change(1, await aGuard(stage), { minimum: 500 }, stage.viewer),
    writes: () => ({
      subject: 'checkout',
      before: expect.objectContaining({ minimum: 100 }),
      after: expect.objectContaining({ minimum: 500 }),
    }),
  },
  'guard.stop': {
    does: async (stage) => stage.product.guards.stop(1, await aGuard(stage), {}, stage.viewer),
    writes: ({ ana }) => ({
      subject: 'checkout',
      before: expect.objectContaining({ state: 'running' }),
      after: expect.objectContaining({ state: 'stopped', why: `${ana.name} stopped it.` }),
    }),
  },
  'cohort.create': {
    does: ({ product, viewer }) => product.cohorts.create(1, { name: 'Buyers', definition }, viewer),
    writes: () => ({ subject: 'Buyers', after: { name: 'Buyers', about: '', definition } }),
  },
  'cohort.change': {
    does: async ({ product, viewer }) => {
      const { cohort } = requireDone(await product.cohorts.create(1, { name: 'Buyers', definition }, viewer))
      return await product.cohorts.change(1, cohort.id, { name: 'Guests' }, viewer)
    },
    writes: () => ({
      subject: 'Guests',
      before: expect.objectContaining({ name: 'Buyers' }),
      after: expect.objectContaining({ name: 'Guests' }),
    }),
  },
  'cohort.remove': {
    does: async ({ product, viewer }) => {
      const { cohort } = requireDone(await product.cohorts.create(1, { name: 'Buyers', definition }, viewer))
      return await product.cohorts.remove(1, cohort.id, viewer)
    },
    writes: () => ({ subject: 'Buyers', before: { name: 'Buyers', about: '', definition } }),
  },
  'data.export': {
    does: async ({ product, viewer }) => requireDone(await product.exports.open(1, 'events', {}, viewer)),
    writes: () => ({ subject: 'events' }),
  },
  'import.begin': {
    does: ({ product, viewer }) => product.imports.begin(1, anImport, viewer),
    writes: () => ({ subject: 'events.jsonl', after: { source: 'posthog' } }),
  },
  'import.undo': {
    does: async ({ product, viewer }) => {
      const begun = requireDone(await product.imports.begin(1, anImport, viewer))
      return await product.imports.undo(1, begun.import.id, viewer)
    },
    writes: () => ({ subject: 'events.jsonl' }),
  },
  'person.export': {
    does: async ({ folder, world, viewer }) => {
      const product = await openProduct({ store: { folder }, world, engine: thatKnowsSomebody })
      requireDone(await product.people.export(1, somebody, viewer))
      await product.close()
    },
    writes: () => ({ subject: somebody }),
  },
  'person.erase': {
    does: ({ product, viewer }) => product.erasures.ask(1, somebody, viewer),
    writes: () => ({ subject: somebody }),
  },
  'person.split': {
    does: async ({ product, folder, viewer }) => {
      const store = await openStore({ folder })
      const [from, distinctId] = [personIdOf(1, 'ana'), 'anonymous-1']
      await saveClaims(store, [{ projectId: 1, distinctId, personId: from }])
      await store.close()
      return await product.personSplits.ask(1, from, { distinctId }, viewer)
    },
    writes: () => ({ subject: personIdOf(1, 'ana') }),
  },
  'events.expire': {
    does: async ({ acme, folder, world, viewer }) => {
      const product = await openProduct({ store: { folder }, world, engine: thatForgets() })
      requireDone(await product.projects.change(acme.id, { intake: { keep: { eventDays: 30 } } }, viewer))
      await product.retention.run()
      await product.close()
    },
    writes: () => ({
      subject: 'Acme',
      after: { events: 3, before: '2026-02-01T00:00:00.000Z' },
      ...byTheClock,
    }),
  },
  'dashboard.create': {
    does: ({ product, viewer }) => product.dashboards.create(1, aDashboard, viewer),
    writes: () => ({ subject: 'Growth', after: expect.objectContaining({ cards: [expect.anything()] }) }),
  },
  'dashboard.change': {
    does: async (stage) =>
      stage.product.dashboards.change(1, await growth(stage), { name: 'More' }, stage.viewer),
    writes: () => ({
      subject: 'More',
      before: expect.objectContaining({ name: 'Growth' }),
      after: expect.objectContaining({ name: 'More' }),
    }),
  },
  'dashboard.archive': {
    does: async (stage) => stage.product.dashboards.archive(1, await growth(stage), stage.viewer),
    writes: ({ world }) => ({
      subject: 'Growth',
      after: expect.objectContaining({ archivedAt: world.now().toISOString() }),
    }),
  },
  'dashboard.restore': {
    does: async (stage) => {
      const id = await growth(stage)
      await stage.product.dashboards.archive(1, id, stage.viewer)
      return await stage.product.dashboards.restore(1, id, stage.viewer)
    },
    writes: () => ({ subject: 'Growth', before: expect.objectContaining({ archivedAt: expect.anything() }) }),
  },
  'dashboard.home': {
    does: async (stage) => stage.product.dashboards.chooseHome(1, await growth(stage), stage.viewer),
    writes: () => ({ subject: 'Growth' }),
  },
  'share.create': {
    does: ({ product, viewer }) => product.shares.create(1, aShare, viewer),
    writes: () => ({
      subject: 'Web analytics',
      after: expect.objectContaining({ frameHosts: ['a.example'] }),
    }),
  },
  'share.change': {
    does: async ({ product, viewer }) => {
      const { share } = requireDone(await product.shares.create(1, aShare, viewer))
      return await product.shares.change(1, share.id, { frameHosts: [] }, viewer)
    },
    writes: () => ({
      subject: 'Web analytics',
      before: expect.objectContaining({ frameHosts: ['a.example'] }),
      after: expect.objectContaining({ frameHosts: [] }),
    }),
  },
  'share.revoke': {
    does: async ({ product, viewer }) => {
      const { share } = requireDone(await product.shares.create(1, aShare, viewer))
      return await product.shares.revoke(1, share.id, viewer)
    },
    writes: ({ world }) => ({
      subject: 'Web analytics',
      after: expect.objectContaining({ revokedAt: world.now().toISOString() }),
    }),
  },
  'annotation.create': {
    does: ({ product, viewer }) => product.annotations.create(1, released, viewer),
    writes: () => ({ subject: 'Released', after: expect.objectContaining({ scope: 'project' }) }),
  },
  'annotation.change': {
    does: async ({ product, viewer }) => {
      const { annotation } = requireDone(await product.annotations.create(1, released, viewer))
      return await product.annotations.change(1, annotation.id, { text: 'Released 2.0' }, viewer)
    },
    writes: () => ({ subject: 'Released 2.0', before: expect.objectContaining({ text: 'Released' }) }),
  },
  'annotation.remove': {
    does: async ({ product, viewer }) => {
      const { annotation } = requireDone(await product.annotations.create(1, released, viewer))
      return await product.annotations.remove(1, annotation.id, viewer)
    },
    writes: () => ({ subject: 'Released', before: expect.objectContaining({ text: 'Released' }) }),
  },
  'alert.create': {
    does: ({ product, viewer }) => product.alerts.create(1, anAlert, viewer),
    writes: () => ({
      subject: 'Fewer views',
      projectId: 1,
      after: { name: 'Fewer views', recipients: [{ by: 'webhook', url: 'https://hooks.example/…' }] },
    }),
  },
  'alert.change': {
    does: async (stage) =>
      stage.product.alerts.change(1, await fewerViews(stage), { name: 'No views' }, stage.viewer),
    writes: () => ({ subject: 'No views', before: { name: 'Fewer views' }, after: { name: 'No views' } }),
  },
  'alert.mute': {
    does: async (stage) => stage.product.alerts.mute(1, await fewerViews(stage), { hours: 1 }, stage.viewer),
    writes: () => ({ subject: 'Fewer views', after: { mutedUntil: '2026-03-02T11:01:00.000Z' } }),
  },
  'alert.remove': {
    does: async (stage) => stage.product.alerts.remove(1, await fewerViews(stage), stage.viewer),
    writes: () => ({ subject: 'Fewer views', before: { name: 'Fewer views' } }),
  },
  'report.create': {
    does: ({ product, viewer }) => product.reports.create(1, aReport, viewer),
    writes: () => ({ subject: 'Our week', projectId: 1, after: { every: 'week', hour: 8 } }),
  },
  'report.change': {
    does: async (stage) => stage.product.reports.change(1, await ourWeek(stage), { hour: 9 }, stage.viewer),
    writes: () => ({ subject: 'Our week', before: { hour: 8 }, after: { hour: 9 } }),
  },
  'report.remove': {
    does: async (stage) => stage.product.reports.remove(1, await ourWeek(stage), stage.viewer),
    writes: () => ({ subject: 'Our week', before: { name: 'Our week' } }),
  },
  'sign-in': {
    does: ({ product, ana, viewer }) => product.signIn.signIn({ email: ana.email, password }, viewer.origin),
    writes: ({ ana }) => ({ subject: ana.email, projectId: undefined }),
  },
  'sign-in.failed': {
    does: ({ product, ana, viewer }) =>
      product.signIn.signIn({ email: ana.email, password: 'wrong' }, viewer.origin),
    writes: ({ ana }) => ({ subject: ana.email, projectId: undefined }),
  },
  'sign-in.second-failed': {
    does: async (stage) => {
      await withApp(stage)
      return await stage.product.signIn.finish(
        await secondStep(stage),
        { code: 'wrong' },
        stage.viewer.origin,
      )
    },
    writes: ({ ana }) => ({ subject: ana.email, projectId: undefined }),
  },
  'recovery.use': {
    does: async (stage) => {
      const [code] = (await withApp(stage)).recoveryCodes
      return await stage.product.signIn.finish(await secondStep(stage), { code }, stage.viewer.origin)
    },
    writes: ({ ana }) => ({ subject: ana.email, projectId: undefined }),
  },
  'recovery.renew': {
    does: async (stage) => {
      await withApp(stage)
      return await stage.product.secondFactors.renewRecoveryCodes(stage.viewer)
    },
    writes: ({ ana }) => ({ subject: ana.email, projectId: undefined }),
  },
  'factor.add': {
    does: (stage) => withApp(stage),
    writes: ({ ana }) => ({
      subject: ana.email,
      projectId: undefined,
      after: { factor: 'authenticator app' },
    }),
  },
  'factor.remove': {
    does: async (stage) => {
      await withApp(stage)
      return await stage.product.secondFactors.removeApp(stage.viewer)
    },
    writes: ({ ana }) => ({
      subject: ana.email,
      projectId: undefined,
      before: { factor: 'authenticator app' },
    }),
  },
  'identity.link': {
    does: async ({ folder, world, ana, viewer, product }) => {
      const store = await openStore({ folder })
      const oidc = new OidcSignIn({
        store,
        world: { now: world.now, random: aWorld('oidc').random },
        seal: {
          close: (text) => JSON.stringify(text),
          open: (text) => String(JSON.parse(text)),
          digest: String,
        },
        settings: noGroups,
        client: {
          begin: async () => ({
            address: new URL('https://id.example'),
            challenge: { state: 'a', nonce: 'b', verifier: 'c' },
          }),
          finish: async () => ({ ...aUser, email: ana.email }),
        },
        signIn: product.signIn,
        onTrouble: () => {},
      })
      const { token } = requireDone(await oidc.begin('/studio', viewer))
      requireDone(await oidc.finish('?', token, { viewer, origin: viewer.origin, source: {} }))
      await store.close()
    },
    writes: ({ ana }) => ({
      subject: ana.email,
      projectId: undefined,
      after: { issuer: 'https://id.example' },
    }),
  },
  'password.ask': {
    does: async ({ folder, world, ana, viewer }) => {
      const reachingOut = { allow: undefined, canMail: true }
      const product = await openProduct({
        store: { folder },
        world: { now: world.now, random: aWorld('mail').random },
        outbound: reachingOut,
      })
      requireDone(await product.passwordResets.ask({ email: ana.email }, viewer.origin))
      await product.close()
    },
    writes: ({ ana }) => ({ subject: ana.email, projectId: undefined }),
  },
  'sign-in-rules.change': {
    does: ({ product, acme, viewer }) =>
      product.signInRules.changeProject(acme.id, { requireSecondFactor: true }, viewer),
    writes: () => ({ subject: 'Acme', projectId: 1, after: { requireSecondFactor: true } }),
  },
  'sign-out': {
    does: ({ product, viewer }) => product.sessions.end(viewer),
    writes: ({ ana }) => ({ subject: ana.email, projectId: undefined }),
  },
  'session.revoke': {
    does: async ({ product, viewer, ana, signedIn }) => {
      const other = await signedIn(ana)
      return await product.sessions.revoke(other.sessionId, viewer)
    },
    writes: ({ ana }) => ({
      subject: ana.email,
      before: { client: testOrigin.client },
      projectId: undefined,
    }),
  },
  // the last one: whoever signed in before has to give the password again
  'audit.expire': {
    does: async ({ product, acme, world, viewer }) => {
      requireDone(await product.projects.change(acme.id, { intake: { keep: { auditDays: 1 } } }, viewer))
      world.advance('2 days')
      await product.retention.run()
    },
    writes: () => ({
      subject: 'Acme',
      after: { entries: expect.any(Number), before: '2026-03-04T00:00:00.000Z' },
      ...byTheClock,
    }),
  },
}

describe('an entry', () => {
  const names = Object.keys(auditActions) as AuditAction[] // its keys and nothing else

  test.each(names)('is written for %s, by whom, from where, before and after', async (action) => {
    const stage = await aStage()
    stage.world.advance('1 minute')
    await deeds[action].does(stage)
    const [entry] = await allEntries(stage, { action })
    const actor = action === 'member.join' ? stage.ben : stage.ana

    expect(entry).toMatchObject({
      action,
      at: stage.world.now(),
      projectId: 1,
      actor: { kind: 'member', id: actor.id, name: actor.name },
      origin: stage.viewer.origin,
      ...deeds[action].writes(stage),
    })
  })

  test('names the key or the operator, where it was not a member', async () => {
    const { product, acme, viewer } = await aStage()
    const { text, key } = requireDone(
      await product.keys.create(acme.id, { name: 'CI', scopes: 'every' }, viewer),
    )
    requireDone(
      await product.projects.change(
        acme.id,
        { name: 'One' },
        present(await product.keys.viewer(text, testOrigin)),
      ),
    )
    requireDone(await product.projects.change(acme.id, { name: 'Two' }, operator('tilth project')))
    const [two, one] = await product.audit.list(acme.id, { action: 'project.change' }, viewer)

    expect(one?.actor).toEqual({ kind: 'key', id: key.id, name: 'CI' })
    expect(two).toMatchObject({
      actor: { kind: 'operator', id: 'operator', name: 'tilth project' },
      origin: { address: '', client: 'this machine', requestId: '' },
    })
  })

  test('is not written for what was refused or undone', async () => {
    const stage = await aStage()
    const { product, acme, ana, ben } = stage
    const before = await allEntries(stage)
    const editor = await stage.signedIn(ben)
    await product.projects.change(acme.id, { name: 'x' }, editor).catch(() => {})
    await product.projects.change(acme.id, { name: '' }, stage.viewer)
    await product.members.remove(acme.id, ana.id, stage.viewer)
    await product.projects.create({ name: 'Again', slug: 'acme' }, stage.viewer)

    const after = await allEntries(stage)
    expect(after.filter(({ action }) => action !== 'sign-in')).toEqual(
      before.filter(({ action }) => action !== 'sign-in'),
    )
  })

  test('keeps the name as it was then', async () => {
    const { product, acme, viewer } = await aStage()
    requireDone(await product.projects.change(acme.id, { name: 'New' }, viewer))
    requireDone(await product.members.changeAccount({ name: 'Ana Maria' }, viewer))
    const [entry] = await product.audit.list(acme.id, { action: 'project.change' }, viewer)

    expect(entry?.actor.name).toBe('Ana Berg')
  })
})

describe('the list', () => {
  test('goes from the newest down, a page at a time, with none missing or twice', async () => {
    const { product, acme, viewer } = await aStage()
    for (let change = 0; change < 12; change++)
      requireDone(await product.projects.change(acme.id, { name: `Name ${change}` }, viewer))
    const whole = await product.audit.list(acme.id, { size: 500 }, viewer)
    const pages: AuditEntry[] = []
    for (;;) {
      const page = await product.audit.list(acme.id, { size: 5, before: pages.at(-1)?.sequence }, viewer)
      if (page.length === 0) break
      expect(page.length).toBeLessThanOrEqual(5)
      pages.push(...page)
    }

    expect(pages).toEqual(whole)
    expect(whole.map(({ sequence }) => sequence)).toEqual(
      whole.map(({ sequence }) => sequence).toSorted((a, b) => b - a),
    )
    expect(whole.length).toBeGreaterThan(14)
  })

  test.each([
    [undefined, 50],
    [1, 1],
    [0, 1],
    [-1, 1],
    [500, 60],
    [1_000_000, 60],
  ])('of size %j has %i of sixty entries', async (size, expected) => {
    const { product, acme, viewer } = await aStage()
    const already = (await product.audit.list(acme.id, { size: 500 }, viewer)).length
    for (let change = already; change < 60; change++)
      requireDone(await product.projects.change(acme.id, { name: `Name ${change}` }, viewer))

    expect(await product.audit.list(acme.id, { size }, viewer)).toHaveLength(expected)
  })

  test('can be asked for one action or one actor', async () => {
    const { product, acme, viewer, ben } = await aStage()
    requireDone(await product.projects.change(acme.id, { name: 'New' }, viewer))
    const changes = await product.audit.list(acme.id, { action: 'project.change' }, viewer)
    const bens = await product.audit.list(acme.id, { actor: ben.id }, viewer)

    expect(changes.map(({ action, actor }) => [action, actor.id])).toEqual([
      ['project.change', viewer.memberId],
    ])
    expect(bens.map(({ action }) => action)).toEqual(['member.join'])
  })

  test('shows what was done in this project and how its people signed in, and nothing of another', async () => {
    const { product, acme, viewer, aProject, aMember, signedIn } = await aStage()
    const other = await aProject({ name: 'Other' })
    const stranger = await aMember({ role: 'owner', project: other, name: 'Stan Stranger' })
    await product.signIn.signIn({ email: stranger.email, password: 'wrong' }, testOrigin)
    requireDone(await product.projects.change(other.id, { name: 'Renamed' }, await signedIn(stranger)))
    const shown = await product.audit.list(acme.id, { size: 500 }, viewer)

    expect(shown.some(({ action, actor }) => action === 'sign-in' && actor.id === viewer.memberId)).toBe(true)
    expect(JSON.stringify(shown)).not.toMatch(/Stan|Renamed|Other/)
  })
})

describe('the chain', () => {
  test('is whole after everything that can be done', async () => {
    const stage = await aStage()
    for (const { does } of Object.values(deeds)) await does(stage)

    expect((await allEntries(stage)).length).toBeGreaterThan(20)
    expect(await stage.product.audit.firstBrokenLink()).toBeUndefined()
  })

  test('is whole when old entries were emptied, which nobody reads any more', async () => {
    const { product, acme, world, viewer } = await aStage()
    const before = await product.audit.list(acme.id, {}, viewer)
    requireDone(await product.projects.change(acme.id, { intake: { keep: { auditDays: 1 } } }, viewer))
    world.advance('2 days')
    await product.retention.run()
    await product.retention.run()

    const left = await product.audit.list(acme.id, {}, operator())
    expect(before.length).toBeGreaterThan(2)
    expect(left.filter(({ projectId }) => projectId === acme.id).map(({ action }) => action)).toEqual([
      'audit.expire',
    ])
    expect(await product.audit.firstBrokenLink()).toBeUndefined()
  })

  test('is whole before anything was done', async () => {
    const { product } = await openTestProduct()

    expect(await product.audit.firstBrokenLink()).toBeUndefined()
  })

  test('is whole when two processes write at once', async () => {
    const { product, anotherProcess, acme } = await aStage()
    const other = await anotherProcess()
    const changes = Array.from({ length: 20 }, (_, number) =>
      (number % 2 ? other : product).projects.change(acme.id, { name: `Name ${number}` }, operator()),
    )
    for (const outcome of await Promise.all(changes)) requireDone(outcome)

    expect(await product.audit.firstBrokenLink()).toBeUndefined()
  })

  test.each([
    ['a subject is rewritten', `update audit set subject = 'nobody' where sequence = 3`, 3],
    ['an actor is rewritten', `update audit set actor_name = 'Eve' where sequence = 2`, 2],
    ['an instant is moved', `update audit set at = '2020-01-01T00:00:00.000Z' where sequence = 1`, 1],
    ['a value is rewritten', `update audit set after = '{}' where sequence = 1`, 1],
    ['an entry is taken out', `delete from audit where sequence = 3`, 4],
    ['the first entry is taken out', `delete from audit where sequence = 1`, 2],
    [
      'two entries change places',
      `update audit set sequence = case sequence when 2 then -3 when 3 then -2 end where sequence in (2, 3);
                                   update audit set sequence = -sequence where sequence < 0`,
      2,
    ],
    [
      'an entry is put in',
      `insert into audit select 99, at, project_id, action, subject, actor_kind, actor_id, actor_name, origin, before, after, previous_hash, hash, null from audit where sequence = 1`,
      99,
    ],
    [
      'an entry and its hash are rewritten',
      `update audit set subject = 'x', hash = 'y' where sequence = 2`,
      2,
    ],
  ])('shows where it breaks when %s', async (_, tampering, where) => {
    const { product, database } = await aStage()
    database((file) => file.exec(tampering))

    expect(await product.audit.firstBrokenLink()).toBe(where)
  })
})

/** Of every project, and what belongs to none; the newest first. */
async function allEntries({ product }: Stage, filter: { action?: AuditAction } = {}): Promise<AuditEntry[]> {
  const all = new Map<number, AuditEntry>()
  for (const { id } of product.projects.list(operator())) {
    const entries = await product.audit.list(id, { size: 500, ...filter }, operator())
    for (const entry of entries) all.set(entry.sequence, entry)
  }
  return [...all.values()].toSorted((a, b) => b.sequence - a.sequence)
}
