import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as aTurn } from 'node:timers/promises'
import { TOTP, URI } from 'otpauth'
import { inject, onTestFinished } from 'vitest'
import type { Engine } from '#engine/engine'
import { type MemberViewer, operator, type RequestOrigin, type Role } from '#projects/access'
import type { Member } from '#projects/members'
import type { Outcome } from '#projects/problems'
import type { Project } from '#projects/project'
import { openProduct, type Product, type ProductSettings } from '#server/product'
import { openStore } from '#store/open'
import type { World } from '#world/world'
import { dataFolders } from './data-folders'

/** A world that stands still until a test moves it on. */
export interface FixedWorld extends World {
  now: () => Date
  random: (bytes: number) => Uint8Array
  /** "11 minutes" later. */
  advance: (span: Span) => void
}

export type Span = `${number} ${'second' | 'minute' | 'hour' | 'day'}${'s' | ''}`

/** A Monday, away from midnight, the end of the month and any change of the clocks. */
const beginning = Date.parse('2026-03-02T10:00:00Z')

/** Its chance comes from the seed alone; two processes that share a store need two seeds, or they make the same ids. */
export function aWorld(seed = 'tilth'): FixedWorld {
  let now = beginning
  let drawn = 0
  return {
    now: () => new Date(now),
    random: (bytes) => createHash('shake256', { outputLength: bytes }).update(`${seed} ${drawn++}`).digest(),
    advance: (span) => (now += inMs(span)),
  }
}

const unitMs = new Map([
  ['second', 1000],
  ['minute', 60_000],
  ['hour', 60 * 60_000],
  ['day', 24 * 60 * 60_000],
])

export function inMs(span: Span): number {
  const [amount, unit = ''] = span.split(' ')
  const each = unitMs.get(unit.replace(/s$/, ''))
  if (each === undefined) throw new Error(`"${span}" is no span of time.`)
  return Number(amount) * each
}

/** A folder that is gone when the test is over. */
export function aFolder(endLater: (end: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(dataFolders, 'tilth-'))
  endLater(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A password that every rule is content with. */
export const password = 'lantern orchard violin'

export const testOrigin: RequestOrigin = {
  address: '203.0.113.0/24',
  client: 'Firefox on Linux',
  requestId: 'req-1',
}

export interface TestProduct {
  product: Product
  world: FixedWorld
  folder: string
  aProject: (wanted?: { name?: string; slug?: string }) => Promise<Project>
  /** Joins as people do, by invitation; without a project, the first one. */
  aMember: (wanted?: { role?: Role; project?: Project; name?: string }) => Promise<Member>
  /** A new browser of this member's, the password just given. */
  signedIn: (member: Member, origin?: RequestOrigin) => Promise<MemberViewer>
  /** A second product on the same store, as another process has it. */
  anotherProcess: () => Promise<Product>
  /** The store's file, for what no product would do to it. */
  database: <Found>(work: (database: DatabaseSync) => Found) => Found
}

interface TestProductOptions {
  /** A Postgres server; otherwise a file. */
  url?: string
  /** Begin with a copy of what was put into this folder. */
  like?: string
  /** Absent where nothing is asked about events. */
  engine?: Engine
  /** The number of persons up to which answers count them one by one; always if absent. */
  exactUpTo?: number
  /** The addresses of this Tilth and what it may reach. */
  outbound?: ProductSettings['outbound']
  /** The state of collecting that a front would tell. */
  collection?: ProductSettings['collection']
}

/**
 * The whole product on a fresh folder, in a world that a test can move.
 *
 * @example
 * const { product, world, aProject } = await openTestProduct()
 * const project = await aProject({ name: 'Acme' })
 * world.advance('1 hour')
 */
export async function openTestProduct({
  url,
  like,
  engine,
  exactUpTo,
  outbound,
  collection,
}: TestProductOptions = {}): Promise<TestProduct> {
  const folder = aFolder()
  const template = like ?? (url ? undefined : inject('migratedStore'))
  if (template) cpSync(template, folder, { recursive: true })
  const world = aWorld(like ? `tilth, like ${like}` : undefined)
  const store = { folder, url }
  const product = await openFor(world)
  return { product, world, folder, anotherProcess, database, ...memberHelpers(product) }

  async function openFor(who: World): Promise<Product> {
    const opened = await openProduct({
      store,
      world: who,
      outbound,
      exactUpTo,
      ...(engine && { engine }),
      ...(collection && { collection }),
    })
    closeAfterTest(opened)
    return opened
  }

  function database<Found>(work: (database: DatabaseSync) => Found): Found {
    const file = new DatabaseSync(join(folder, 'store.db'))
    try {
      return work(file)
    } finally {
      file.close()
    }
  }

  function anotherProcess(): Promise<Product> {
    return openFor({ now: world.now, random: aWorld('another').random })
  }
}

/**
 * A product is large, so nothing may hold it for longer than its test: not what is to be done at the end, which is
 * remembered until the file is through, and no timer that a file of quick tests would never let come to its turn.
 */
function closeAfterTest(product: Product): void {
  const open = new Set([product])
  onTestFinished(async () => {
    for (const one of open) await one.close()
    open.clear()
    await aTurn()
  })
}

/** The helpers with which tests make projects and members, for a product that a test opened itself. */
export function memberHelpers(product: Product): Pick<TestProduct, 'aProject' | 'aMember' | 'signedIn'> {
  return {
    async aProject({ name = 'Acme', slug } = {}) {
      return requireDone(await product.projects.create({ name, slug }, operator())).project
    },

    async aMember({ role = 'viewer', project, name = 'Ana Berg' } = {}) {
      const place = project ?? firstOf(product)
      const invited = requireDone(await product.projects.invitations.create(place.id, { role }, operator()))
      const email = `${name.toLowerCase().replaceAll(' ', '.')}@acme.example`
      const joining = { name, email, password }
      return requireDone(await product.projects.invitations.acceptAsNew(invited.token, joining, testOrigin))
        .member
    },

    async signedIn(member, origin = testOrigin) {
      const { token } = await product.signIn.welcome(member, origin)
      return present(await product.signIn.sessions.viewer(token, origin))
    },
  }
}

/** A project, and the store below its product for the parts that a test makes itself. */
export async function aProjectWithStore() {
  const [folder, world] = [aFolder(), aWorld()]
  const product = await openProduct({ store: { folder }, world })
  const store = await openStore({ folder })
  onTestFinished(async () => {
    await store.close()
    await product.close()
  })
  const { id } = await memberHelpers(product).aProject()
  return { folder, world, product, store, id }
}

/** Sets an authenticator app up; `code` is what it shows now, and a minute later another. */
export async function anApp(
  { product, world }: { product: Product; world: Pick<World, 'now'> },
  viewer: MemberViewer,
): Promise<{ code: () => string; recoveryCodes: string[] }> {
  const { address } = requireDone(await product.signIn.secondFactors.beginApp(viewer))
  const app = URI.parse(address)
  if (!(app instanceof TOTP)) throw new Error('This is no address for an app.')
  const code = () => app.generate({ timestamp: world.now().getTime() })
  const { recoveryCodes } = requireDone(
    await product.signIn.secondFactors.confirmApp({ code: code() }, viewer),
  )
  return { code, recoveryCodes }
}

function firstOf(product: Product): Project {
  return present(product.projects.list(operator())[0])
}

/**
 * Returns a successful outcome; otherwise throws its problems, so that a failing test shows them.
 *
 * @example
 * const { flag } = requireDone(await product.flags.create(project.id, { key: 'new' }, operator()))
 */
export function requireDone<Done>(outcome: Outcome<Done>): { done: true } & Done {
  if (outcome.done) return outcome
  throw new Error(outcome.problems.map(({ message }) => message).join(' '))
}

/** A sign-in that went through without a second step. */
export function requireSignedIn<Way extends { token?: string | undefined }>(
  outcome: Outcome<Way>,
): Extract<Way, { token: string }> {
  const way: Way = requireDone(outcome)
  if (way.token === undefined) throw new Error('A second factor is asked for.')
  return way as Extract<Way, { token: string }> // the only kind that has a token
}

/** The words a person reads when something was not done. */
export function problemMessages(outcome: Outcome): string[] {
  if (outcome.done) throw new Error('It was done.')
  return outcome.problems.map(({ message }) => message)
}

/** For what a test knows to be there. */
export function present<Value>(value: Value | undefined | null): Value {
  if (value === undefined || value === null) throw new Error('It is not there.')
  return value
}

/** A picture of one point, as PNG. */
export const onePixelPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
