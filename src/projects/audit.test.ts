import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '#engine/engine'
import { render, type Sql } from '#engine/sql'
import { aProposal } from '#agents/authorization.cases'
import { someAddresses } from '#letters/authorization.cases'
import { aPerson } from '#persons/authorization.cases'
import { aPublishedPost } from '#posts/authorization.cases'
import { openProduct } from '#server/product'
import { openStore } from '#store/open'
import { aRunningSurvey } from '#surveys/authorization.cases'
import {
  anApp,
  aWorld,
  openTestProduct,
  password,
  present,
  requireDone,
  testOrigin,
  type TestProduct,
} from '#test/product/fixture'
import type { OwnerStage, Written } from '#test/product/authorization/audited-call'
import { aCast } from '#test/product/authorization/cast'
import { letAssistantIn } from '#agent-access/authorization.cases'
import { calls } from '#test/product/authorization/every-call'
import { operator } from './access'
import type { AuditEntry } from './audit'
import { type AuditAction, auditActions } from './audit-actions'
import { OidcSignIn } from './internal/oidc-sign-in'

/** A store with two projects and their members. */
const original = mkdtempSync(join(tmpdir(), 'tilth-'))
afterAll(() => rmSync(original, { recursive: true }))

let owner: Omit<OwnerStage, keyof TestProduct>
beforeAll(async () => {
  owner = await aCast(original)
})

const anOwnerStage = async (): Promise<OwnerStage> => ({
  ...(await openTestProduct({ like: original })),
  ...owner,
})

const proposedByTheOperator = {
  change: 'create_flag',
  lines: ['production: turned on'],
  proposedBy: 'operator',
}

/** Entries of methods that no right of a project guards, and of those that need more than a store. */
const otherEntries: Partial<
  Record<AuditAction, { does: (stage: OwnerStage) => unknown; writes: (stage: OwnerStage) => Written }>
> = {
  'project.create': {
    does: ({ product, viewer }) => product.projects.create({ name: 'Second' }, viewer),
    writes: () => ({
      subject: 'Second',
      projectId: 3,
      after: { name: 'Second', slug: 'second', timeZone: 'UTC', writeKey: expect.stringMatching(/^phc_/) },
    }),
  },
  'agent.connect': {
    does: (stage) => letAssistantIn(stage, stage.viewer),
    writes: () => ({ subject: 'Claude Code', after: { level: 'read', client: expect.any(String) } }),
  },
  'member.join': {
    does: async ({ product, viewer, ben, signedIn }) => {
      await product.projects.members.remove(1, ben.id, viewer)
      const { token } = requireDone(await product.projects.invitations.create(1, { role: 'viewer' }, viewer))
      return await product.projects.invitations.accept(token, await signedIn(ben))
    },
    writes: ({ ben }) => ({ subject: ben.email, after: { role: 'viewer' } }),
  },
  'member.change': {
    does: ({ product, viewer }) =>
      product.projects.members.changeAccount({ name: 'Ana', email: 'ana@new.example' }, viewer),
    writes: ({ ana }) => ({
      subject: 'ana@new.example',
      before: { name: ana.name, email: ana.email },
      after: { name: 'Ana', email: 'ana@new.example' },
      projectId: undefined,
    }),
  },
  'member.password': {
    does: ({ product, viewer }) => product.projects.members.changePassword({ password: newPassword }, viewer),
    writes: ({ ana }) => ({ subject: ana.email, before: undefined, after: undefined, projectId: undefined }),
  },
  'mail-server.change': {
    does: (stage) => stage.product.projects.mailServer.change(mailServer, ownerOfAll(stage)),
    writes: () => ({
      subject: mailServer.host,
      projectId: undefined,
      after: { ...mailServer, hasPassword: false },
    }),
  },
  'mail-server.remove': {
    does: async (stage) => {
      const { mailServer: settings } = stage.product.projects
      requireDone(await settings.change(mailServer, ownerOfAll(stage)))
      return await settings.remove(ownerOfAll(stage))
    },
    writes: () => ({
      subject: mailServer.host,
      projectId: undefined,
      before: { ...mailServer, hasPassword: false },
    }),
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
      const outcome = await mailing.surveys.mailings.send(1, id, letters, viewer)
      await mailing.close()
      return outcome
    },
    writes: () => ({ subject: 'Why?', after: { subject: 'Hello', letters: 1 } }),
  },
  'post.edit': {
    does: async (stage) => {
      const change = { title: 'Bye', keepUnpublished: true }
      return stage.product.posts.change(1, await aPublishedPost(stage), change, stage.viewer)
    },
    writes: () => ({
      subject: 'Hello',
      before: expect.objectContaining({ title: 'Hello', version: 2 }),
      after: expect.objectContaining({ title: 'Bye', version: 3 }),
    }),
  },
  'proposal.approve': {
    does: async (stage) => stage.product.proposals.approve(1, (await aProposal(stage)).id, stage.viewer),
    writes: () => ({ subject: 'Create the flag proposed-0.', after: proposedByTheOperator }),
  },
  'proposal.refuse': {
    does: async (stage) => stage.product.proposals.refuse(1, (await aProposal(stage)).id, {}, stage.viewer),
    writes: () => ({ subject: 'Create the flag proposed-0.', after: proposedByTheOperator }),
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
  'person.export': {
    does: async ({ folder, world, viewer }) => {
      const product = await openProduct({ store: { folder }, world, engine: thatKnowsSomebody })
      requireDone(await product.people.export(1, aPerson, viewer))
      await product.close()
    },
    writes: () => ({ subject: aPerson }),
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
      return await stage.product.signIn.secondFactors.renewRecoveryCodes(stage.viewer)
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
      return await stage.product.signIn.secondFactors.removeApp(stage.viewer)
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
      requireDone(await product.signIn.passwordResets.ask({ email: ana.email }, viewer.origin))
      await product.close()
    },
    writes: ({ ana }) => ({ subject: ana.email, projectId: undefined }),
  },
  'sign-out': {
    does: ({ product, viewer }) => product.signIn.sessions.end(viewer),
    writes: ({ ana }) => ({ subject: ana.email, projectId: undefined }),
  },
  'session.revoke': {
    does: async ({ product, viewer, ana, signedIn }) => {
      const other = await signedIn(ana)
      return await product.signIn.sessions.revoke(other.sessionId, viewer)
    },
    writes: ({ ana }) => ({
      subject: ana.email,
      before: { client: testOrigin.client },
      projectId: undefined,
    }),
  },
  // the last one: its two days make a member who signed in before give the password again
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

const newPassword = 'harbour thistle clock'

async function letterSent(stage: OwnerStage) {
  const { folder, product, viewer, world } = stage
  const addresses = `${(await product.projects.audit.list(1, {}, viewer)).length}@example.com`
  requireDone(
    await product.letters.subscriptions.importAddresses(
      1,
      'newsletter',
      { ...someAddresses, addresses },
      viewer,
    ),
  )
  const post = await aPublishedPost(stage)
  const mailing = await openProduct({
    store: { folder },
    world: { now: world.now, random: aWorld('posts by e-mail').random },
    outbound: { allow: undefined, canMail: true },
  })
  requireDone(
    await mailing.letters.subscriptions.changeSettings(1, { postalAddress: '1 Main Street' }, viewer),
  )
  const outcome = await mailing.letters.send(1, { post, subjects: ['Hello'] }, viewer)
  await mailing.close()
  return outcome
}

/** No more of it is needed. */
const someTraces = { facts: [], last_page: ['', ''], own_events: [], variants: [], surveys: [] }
const thatKnowsSomebody = {
  query: async () => [{ times: 1, ids: ['ana'], properties: {}, ...someTraces }],
} as unknown as Engine

/** The actor of changes that the settings make after a while, without a click. */
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

const mailServer = { host: 'smtp.example.com', port: 587, isSecure: false, from: 'tilth@example.com' }

/** Ana, as an owner of every project. */
const ownerOfAll = ({ product, viewer }: OwnerStage): OwnerStage['viewer'] => ({
  ...viewer,
  roles: new Map(product.projects.list(operator()).map(({ id }) => [id, 'owner'])),
})

/** A new one, should another deed have set one up before. */
async function withApp({ product, world, viewer }: OwnerStage) {
  await product.signIn.secondFactors.removeApp(viewer)
  return await anApp({ product, world }, viewer)
}

/** Makes the second step of a sign-in. Another deed may have changed the account before. */
async function secondStep({ product, ana, acme, viewer }: OwnerStage): Promise<string> {
  const all = await product.projects.members.list(acme.id, viewer)
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
  authenticatedAgoMs: 0,
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

describe('an entry', () => {
  test.each(Object.entries(otherEntries))(
    'is written for %s, by which person, from where, before and after',
    async (action, { does, writes }) => {
      const stage = await anOwnerStage()
      stage.world.advance('1 minute')
      await does(stage)
      const [entry] = (await allEntries(stage)).filter((one) => one.action === action)
      const actor = action === 'member.join' ? stage.ben : stage.ana

      expect(entry).toMatchObject({
        action,
        at: stage.world.now(),
        projectId: 1,
        actor: { kind: 'member', id: actor.id, name: actor.name },
        origin: stage.viewer.origin,
        ...writes(stage),
      })
    },
  )

  test('of every action is expected once, above or in the cases of a module', () => {
    const ofCalls = Object.values(calls).flatMap(({ action }) => action ?? [])

    expect([...ofCalls, ...Object.keys(otherEntries)].toSorted()).toEqual(
      Object.keys(auditActions).toSorted(),
    )
  })

  test('names the key or the operator, where it was not a member', async () => {
    const { product, acme, viewer } = await anOwnerStage()
    const { text, key } = requireDone(
      await product.projects.keys.create(acme.id, { name: 'CI', scopes: 'every' }, viewer),
    )
    requireDone(
      await product.projects.change(
        acme.id,
        { name: 'One' },
        present(await product.projects.keys.viewer(text, testOrigin)),
      ),
    )
    requireDone(await product.projects.change(acme.id, { name: 'Two' }, operator('tilth project')))
    const [two, one] = await product.projects.audit.list(acme.id, { action: 'project.change' }, viewer)

    expect(one?.actor).toEqual({ kind: 'key', id: key.id, name: 'CI' })
    expect(two).toMatchObject({
      actor: { kind: 'operator', id: 'operator', name: 'tilth project' },
      origin: { address: '', client: 'this machine', requestId: '' },
    })
  })

  test('is not written for what was refused or undone', async () => {
    const stage = await anOwnerStage()
    const { product, acme, ana, ben, anOwner } = stage
    requireDone(await product.projects.members.remove(acme.id, anOwner.id, stage.viewer))
    const before = await allEntries(stage)
    const editor = await stage.signedIn(ben)
    await product.projects.change(acme.id, { name: 'x' }, editor).catch(() => {})
    await product.projects.change(acme.id, { name: '' }, stage.viewer)
    await product.projects.members.remove(acme.id, ana.id, stage.viewer)
    await product.projects.create({ name: 'Again', slug: 'acme' }, stage.viewer)

    const after = await allEntries(stage)
    expect(after.filter(({ action }) => action !== 'sign-in')).toEqual(
      before.filter(({ action }) => action !== 'sign-in'),
    )
  })

  test('keeps the name as it was then', async () => {
    const { product, acme, viewer } = await anOwnerStage()
    requireDone(await product.projects.change(acme.id, { name: 'New' }, viewer))
    requireDone(await product.projects.members.changeAccount({ name: 'Ana Maria' }, viewer))
    const [entry] = await product.projects.audit.list(acme.id, { action: 'project.change' }, viewer)

    expect(entry?.actor.name).toBe('Ana Berg')
  })
})

describe('the list', () => {
  test('goes from the newest down, a page at a time, with none missing or twice', async () => {
    const { product, acme, viewer } = await anOwnerStage()
    for (let change = 0; change < 12; change++)
      requireDone(await product.projects.change(acme.id, { name: `Name ${change}` }, viewer))
    const whole = await product.projects.audit.list(acme.id, { size: 500 }, viewer)
    const pages: AuditEntry[] = []
    for (;;) {
      const page = await product.projects.audit.list(
        acme.id,
        { size: 5, before: pages.at(-1)?.sequence },
        viewer,
      )
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
  ])('of size %j has %i of sixty entries', async (size, length) => {
    const { product, acme, viewer } = await anOwnerStage()
    const already = (await product.projects.audit.list(acme.id, { size: 500 }, viewer)).length
    for (let change = already; change < 60; change++)
      requireDone(await product.projects.change(acme.id, { name: `Name ${change}` }, viewer))

    expect(await product.projects.audit.list(acme.id, { size }, viewer)).toHaveLength(length)
  })

  test('can be asked for one action or one actor', async () => {
    const { product, acme, viewer, ben } = await anOwnerStage()
    requireDone(await product.projects.change(acme.id, { name: 'New' }, viewer))
    const changes = await product.projects.audit.list(acme.id, { action: 'project.change' }, viewer)
    const bens = await product.projects.audit.list(acme.id, { actor: ben.id }, viewer)

    expect(changes.map(({ action, actor }) => [action, actor.id])).toEqual([
      ['project.change', viewer.memberId],
    ])
    expect(bens.map(({ action }) => action)).toEqual(['member.join'])
  })

  test('shows what was done in this project and how its people signed in, and nothing of another', async () => {
    const { product, acme, viewer, other, stranger, signedIn } = await anOwnerStage()
    await product.signIn.signIn({ email: stranger.email, password: 'wrong' }, testOrigin)
    requireDone(await product.projects.change(other.id, { name: 'Renamed' }, await signedIn(stranger)))
    const shown = await product.projects.audit.list(acme.id, { size: 500 }, viewer)

    expect(shown.some(({ action, actor }) => action === 'sign-in' && actor.id === viewer.memberId)).toBe(true)
    expect(JSON.stringify(shown)).not.toMatch(/Stan|Renamed|Other/)
  })
})

describe('the chain', () => {
  test('is whole after everything that no right guards', async () => {
    const stage = await anOwnerStage()
    for (const { does } of Object.values(otherEntries)) await does(stage)

    expect((await allEntries(stage)).length).toBeGreaterThan(20)
    expect(await stage.product.projects.audit.firstBrokenLink()).toBeUndefined()
  })

  test('is whole when old entries were emptied, which no one reads any more', async () => {
    const { product, acme, world, viewer } = await anOwnerStage()
    const before = await product.projects.audit.list(acme.id, {}, viewer)
    requireDone(await product.projects.change(acme.id, { intake: { keep: { auditDays: 1 } } }, viewer))
    world.advance('2 days')
    await product.retention.run()
    await product.retention.run()

    const left = await product.projects.audit.list(acme.id, {}, operator())
    expect(before.length).toBeGreaterThan(2)
    expect(left.filter(({ projectId }) => projectId === acme.id).map(({ action }) => action)).toEqual([
      'audit.expire',
    ])
    expect(await product.projects.audit.firstBrokenLink()).toBeUndefined()
  })

  test('is whole before anything was done', async () => {
    const { product } = await openTestProduct()

    expect(await product.projects.audit.firstBrokenLink()).toBeUndefined()
  })

  test('is whole when two processes write at once', async () => {
    const { product, anotherProcess, acme } = await anOwnerStage()
    const other = await anotherProcess()
    const changes = Array.from({ length: 20 }, (_, number) =>
      (number % 2 ? other : product).projects.change(acme.id, { name: `Name ${number}` }, operator()),
    )
    for (const outcome of await Promise.all(changes)) requireDone(outcome)

    expect(await product.projects.audit.firstBrokenLink()).toBeUndefined()
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
    const { product, database } = await anOwnerStage()
    database((file) => file.exec(tampering))

    expect(await product.projects.audit.firstBrokenLink()).toBe(where)
  })
})

/** Returns the entries of every project, and those of none; the newest first. */
async function allEntries(
  { product }: TestProduct,
  filter: { action?: AuditAction } = {},
): Promise<AuditEntry[]> {
  const all = new Map<number, AuditEntry>()
  for (const { id } of product.projects.list(operator())) {
    const entries = await product.projects.audit.list(id, { size: 500, ...filter }, operator())
    for (const entry of entries) all.set(entry.sequence, entry)
  }
  return [...all.values()].toSorted((a, b) => b.sequence - a.sequence)
}
