import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Engine } from '#engine/engine'
import { openLog } from '#server/log'
import { openProduct, type Product } from '#server/product'
import {
  aFolder,
  aWorld,
  memberHelpers,
  openTestProduct,
  present,
  requireDone,
  testOrigin,
  type TestProduct,
} from '#test/product/fixture'
import { methodsWithoutRight } from '#test/rules/methods-without-right'
import { expectPrintedTable, tableOf } from '#test/rules/printed-table'
import type { AuditedCall, Cast, Stage } from '#test/product/authorization/audited-call'
import { aCast, emptyEngine } from '#test/product/authorization/cast'
import { calls, callsByModule } from '#test/product/authorization/every-call'
import { holders } from '#test/product/authorization/holders'
import { type PrivateNames, privateNamesIn, publicMethods } from '#test/rules/public-methods'
import {
  AccessRefusedError,
  isRight,
  operator,
  type Right,
  rights,
  roles,
  scopes,
  type Viewer,
} from './access'
import type { AuditEntry } from './audit'
import { installationCalls } from './authorization.cases'
import type { Member } from './members'
import type { OidcSettings } from './oidc-settings'
import type { Project } from './project'

/** The parts that viewers are made of, once for the whole file. */
interface Preparation extends Cast {
  signedIn: (member: Member) => Promise<Viewer>
  keyFor: (project: Project, held: readonly Right[]) => Promise<Viewer>
}

/** A store with one project for each viewer, all with the same members: one product per deed serves all viewers. */
const original = mkdtempSync(join(tmpdir(), 'tilth-'))
afterAll(() => rmSync(original, { recursive: true }))

/** The projects, members and the viewers of each deed, by their names. */
let castByViewer: ReadonlyMap<string, Cast>
let viewersByCall: ReadonlyMap<AuditedCall, ReadonlyMap<string, Viewer>>

beforeAll(async () => {
  const { acme: first, ...cast } = await aCast(original)
  const product = await openProduct({ store: { folder: original }, world: aWorld('viewers') })
  const { aProject, signedIn } = memberHelpers(product)
  const casts = new Map<string, Cast>()
  for (const name of Object.keys(viewers)) {
    casts.set(name, { ...cast, acme: await aProject({ name: `Acme of ${name}` }) })
  }
  copyMemberships(
    first,
    [...casts.values()].map(({ acme }) => acme),
  )
  const made = {
    signedIn: madeOnce(
      (member: Member) => signedIn(member),
      ({ id }) => id,
    ),
    keyFor: madeOnce(
      (project: Project, held: readonly Right[]) => aKey(product, project, held),
      ({ id }, held) => `${id} ${held.join()}`,
    ),
  }
  const byCall = new Map<AuditedCall, ReadonlyMap<string, Viewer>>()
  for (const call of Object.values(calls)) {
    const byName = new Map<string, Viewer>()
    for (const [name, viewer] of Object.entries(viewers)) {
      byName.set(name, await viewer({ ...made, ...present(casts.get(name)) }, call))
    }
    byCall.set(call, byName)
  }
  await product.close()
  castByViewer = casts
  viewersByCall = byCall
})

function madeOnce<Arguments extends unknown[]>(
  make: (...given: Arguments) => Promise<Viewer>,
  nameOf: (...given: Arguments) => string,
): (...given: Arguments) => Promise<Viewer> {
  const made = new Map<string, Promise<Viewer>>()
  return (...given) => {
    const name = nameOf(...given)
    const viewer = made.get(name) ?? make(...given)
    made.set(name, viewer)
    return viewer
  }
}

async function aKey({ projects }: Product, project: Project, held: readonly Right[]): Promise<Viewer> {
  const { keys } = projects
  const { text } = requireDone(
    await keys.create(
      project.id,
      { name: `Key to ${held.join(' ').slice(0, 60)}`, scopes: held },
      operator(),
    ),
  )
  return present(await keys.viewer(text, testOrigin))
}

function copyMemberships(from: Project, to: readonly Project[]): void {
  const database = new DatabaseSync(join(original, 'store.db'))
  const copy = database.prepare(
    `insert into memberships (project_id, member_id, role, created_at)
     select ?, member_id, role, created_at from memberships where project_id = ?`,
  )
  for (const { id } of to) copy.run(id, from.id)
  database.close()
}

/** Makes each viewer. */
const viewers: Record<string, (stage: Preparation, call: AuditedCall) => Promise<Viewer>> = {
  owner: (stage) => stage.signedIn(stage.byRole.owner),
  admin: (stage) => stage.signedIn(stage.byRole.admin),
  editor: (stage) => stage.signedIn(stage.byRole.editor),
  viewer: (stage) => stage.signedIn(stage.byRole.viewer),
  'owner of another project': (stage) => stage.signedIn(stage.stranger),
  'key with the scope': (stage, { right, handsOut = [] }) =>
    stage.keyFor(stage.acme, right === 'owners:write' ? scopes : [right, ...handsOut]),
  'key without the scope': (stage, { right }) => stage.keyFor(stage.acme, everyScopeBut(right)),
  'key with another scope alone': (stage, { right }) =>
    stage.keyFor(stage.acme, [right === 'audit:read' ? 'keys:read' : 'audit:read']),
  'key of another project': (stage) => stage.keyFor(stage.other, scopes),
  operator: async () => operator(),
}

function everyScopeBut(right: Right): Right[] {
  return scopes.filter((scope) => scope !== right)
}

function expected(right: Right): Record<string, string> {
  const byRole = roles.map((role) => [role, holders[right].includes(role) ? 'done' : 'not-allowed'])
  return {
    ...Object.fromEntries(byRole),
    'owner of another project': 'not-found',
    'key with the scope': right === 'owners:write' ? 'not-allowed' : 'done',
    'key without the scope': 'not-allowed',
    'key with another scope alone': 'not-allowed',
    'key of another project': 'not-found',
    operator: 'done',
  }
}

describe('who may do what', () => {
  test.each(Object.entries(calls))('%s', async (_, call) => {
    const results: Record<string, string> = {}
    const fixture = await openTestProduct({ like: original, engine: emptyEngine })
    fixture.world.advance('1 minute')
    for (const [name, viewer] of present(viewersByCall.get(call))) {
      const stage = { ...fixture, ...present(castByViewer.get(name)) }
      results[name] = await tried(call, stage, viewer)
      await expectWritten(call, stage, { viewer, isDone: results[name] === 'done' })
    }
    const withScope = present(present(viewersByCall.get(call)).get('key with the scope'))
    const changed = rightsOfRowsBy(withScope, fixture)

    expect(results).toEqual(expected(call.right))
    expect([call.right, ...(call.handsOut ?? [])]).toEqual(expect.arrayContaining(changed))
    if (call.action) expect(await fixture.product.projects.audit.firstBrokenLink()).toBeUndefined()
  })

  test.each(Object.entries(installationCalls))('%s', async (_, { by, does }) => {
    const fixture = await openTestProduct({ like: original, engine: emptyEngine })
    const mayDo: string[] = []
    for (const [name, viewer] of present([...viewersByCall.values()][0])) {
      const stage = { ...fixture, ...present(castByViewer.get(name)) }
      if ((await tried({ right: 'project:read', does }, stage, viewer)) === 'done') mayDo.push(name)
    }

    expect(mayDo).toEqual(by)
  })

  test('every public method of the product has a case in its module, or is listed with the reason for no right', async () => {
    const known = [...Object.keys(calls), ...Object.keys(installationCalls)].map(methodOf)
    const open = methodsWithoutRight.flatMap(({ methods }) => methods)
    const methods = publicMethods(await aWholeProduct(), privateNamesIn(root))

    expect(methods.filter((name) => !known.includes(name) && !open.includes(name))).toEqual([])
    expect([...known, ...open].filter((name) => !methods.includes(name))).toEqual([])
    expect(open.filter((name) => known.includes(name))).toEqual([])
  })

  test('every file of cases is collected, and no two cases have one name', () => {
    const folders = globSync('src/*/authorization.cases.ts', { cwd: root }).map((path) => path.split('/')[1])
    const names = Object.values(callsByModule).flatMap((ofModule) => Object.keys(ofModule))

    expect(new Set(Object.keys(callsByModule))).toEqual(new Set(folders))
    expect(names).toHaveLength(new Set(names).size)
  })

  test('a new public method is found, a private one is not', () => {
    const hidden: PrivateNames = (className, name) => `${className}.${name}` === 'NewMembers.count'
    const projects = Object.assign(new NewMembers(), { members: new NewMembers() })
    const names = publicMethods({ projects, ping: () => {} }, hidden)

    expect(names).toEqual([
      'projects.added',
      'projects.list',
      'projects.members.added',
      'projects.members.list',
      'ping',
    ])
  })

  test('docs/authorization.md prints it', () => {
    const marks = (right: Right) => roles.map((role) => (holders[right].includes(role) ? 'yes' : ''))
    expectPrintedTable(
      'rights',
      tableOf(
        ['Right', ...roles, 'secret key', 'What it allows'],
        Object.keys(rights)
          .filter(isRight)
          .map((right) => [
            `\`${right}\``,
            ...marks(right),
            scopes.includes(right) ? 'with the scope' : '',
            rights[right].label,
          ]),
      ),
    )
    expectPrintedTable(
      'methods',
      tableOf(
        ['Method', 'Needs'],
        [
          ...Object.entries(calls).map(([name, { right, handsOut = [] }]) => [
            `\`${methodOf(name)}\`${name.slice(methodOf(name).length)}`,
            [right, ...handsOut].map((one) => `\`${one}\``).join(', '),
          ]),
          ...Object.entries(installationCalls).map(([name, { rule }]) => [`\`${name}\``, rule]),
        ].toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
      ),
    )
    expectPrintedTable(
      'methods without a right',
      methodsWithoutRight
        .map(({ reason, methods }) => `- ${reason} ${methods.map((name) => `\`${name}\``).join(', ')}`)
        .join('\n'),
    )
  })

  test('every right guards something', () => {
    const used = new Set(Object.values(calls).map(({ right }) => right))
    // a member needs it to let an assistant propose (agent-access.test.ts)
    used.add('proposals:write')

    expect([...used].toSorted()).toEqual(Object.keys(rights).toSorted())
  })

  test('every right can be handed to a key, but for a say about owners', () => {
    expect([...scopes, 'owners:write'].toSorted()).toEqual(Object.keys(rights).toSorted())
  })
})

const root = join(import.meta.dirname, '../..')

/** `projects.members.remove of an owner` is a case of `projects.members.remove`. */
const methodOf = (name: string): string => name.split(' ')[0] ?? name

/** The product with all parts that depend on settings: a front's, with a provider for sign-in. */
async function aWholeProduct(): Promise<object> {
  const folder = aFolder()
  const engine = { ...emptyEngine, ready: () => new Promise(() => {}) } as unknown as Engine
  const product = await openProduct({
    store: { folder },
    world: aWorld(),
    engine,
    intake: {
      dataFolder: folder,
      isAlone: true,
      diskSpace: async () => ({ freeBytes: 1, usedBytes: undefined, trouble: undefined }),
      log: openLog({ level: 'silent', format: 'json' }),
      onLiveEvent: () => {},
    },
    backups: { engineFolder: undefined, schedule: undefined },
    outbound: { allow: undefined, canMail: true, addresses: [], oidc: aProvider },
  })
  onTestFinished(() => product.close())
  // the engine is given to the product and is no part of what it offers
  return { ...product, engine: undefined }
}

const aProvider: OidcSettings = {
  issuer: 'https://login.example',
  clientId: 'tilth',
  clientSecret: 'secret',
  name: 'Example',
  domains: [],
  mayJoin: false,
  isRequired: false,
  groupsClaim: 'groups',
  groupRoles: [],
}

/** The right that changes the rows of a table, of all tables whose rows name who made or changed them. */
const rightsOfTables: Readonly<Record<string, Right>> = {
  alerts: 'alerts:write',
  reports: 'alerts:write',
  // the letter that asks an address to confirm
  outgoing: 'alerts:write',
  annotations: 'insights:write',
  cohorts: 'insights:write',
  dashboards: 'insights:write',
  dashboard_versions: 'insights:write',
  definitions: 'insights:write',
  goals: 'insights:write',
  insights: 'insights:write',
  insight_versions: 'insights:write',
  person_lists: 'insights:write',
  segments: 'insights:write',
  erasures: 'persons:write',
  imports: 'persons:write',
  bandits: 'experiments:write',
  experiments: 'experiments:write',
  saved_metrics: 'experiments:write',
  flags: 'flags:write',
  flag_guards: 'flags:write',
  flag_holdouts: 'flags:write',
  flag_layers: 'flags:write',
  flag_schedules: 'flags:write',
  flag_versions: 'flags:write',
  invitations: 'members:write',
  posts: 'posts:write',
  post_comments: 'posts:write',
  post_images: 'posts:write',
  post_versions: 'posts:write',
  shares: 'shares:write',
  surveys: 'surveys:write',
  survey_links: 'surveys:write',
  survey_removals: 'surveys:write',
  survey_versions: 'surveys:write',
  survey_webhooks: 'surveys:write',
}

const tablesOfAllRights = new Set(['audit', 'secret_keys'])

/** The rights that changing all rows needs which name this viewer. A table without a line above is named instead. */
function rightsOfRowsBy({ name }: Viewer, { database }: TestProduct): string[] {
  return database((file) => {
    const tables = file.prepare("select name from sqlite_master where type = 'table'").all()
    const named = tables
      .map((table) => String(table['name']))
      .filter((table) => !tablesOfAllRights.has(table))
      .flatMap((table) =>
        file
          .prepare(`select * from "${table}"`)
          .all()
          .map((row) => Object.values(row).filter((value) => typeof value === 'string'))
          .filter((texts) => texts.some((text) => text.includes(name)))
          // the flag that a survey keeps is part of the survey: the right to the survey is enough
          .map((texts) => (texts.some((text) => text.includes('"keptBySurvey":"')) ? 'surveys' : table)),
      )
    return [...new Set(named)].map((table) => rightsOfTables[table] ?? `no right of ${table}`)
  })
}

class NewMembers {
  added = () => true
  list() {
    return []
  }
  // the check of privacy is what is tested, so the compiler sees it public
  count() {
    return 0
  }
}

/** Expects the entry of a deed, with its actor, origin, and values before and after; none where it was refused. */
async function expectWritten(
  { action, writes }: AuditedCall,
  stage: Stage,
  { viewer, isDone }: { viewer: Viewer; isDone: boolean },
): Promise<void> {
  if (!action) return
  const { product, acme, world } = stage
  const entries = await product.projects.audit.list(acme.id, { action }, operator())
  if (isDone)
    expect(entries[0]).toMatchObject({
      action,
      at: world.now(),
      projectId: acme.id,
      actor: actorOf(viewer),
      origin: viewer.origin,
      ...writes?.(stage, viewer),
    })
  // an operator sets the stage
  else
    expect(
      entries.filter(({ actor }) => actor.kind !== 'operator' && actor.id === actorOf(viewer).id),
    ).toEqual([])
}

function actorOf(viewer: Viewer): AuditEntry['actor'] {
  const { kind, name } = viewer
  const id = kind === 'member' ? viewer.memberId : kind === 'key' ? viewer.keyId : 'operator'
  return { kind, id, name }
}

async function tried({ does }: AuditedCall, stage: Stage, viewer: Viewer): Promise<string> {
  try {
    const outcome: unknown = await does(stage, viewer)
    return isUndone(outcome) ? JSON.stringify(outcome) : 'done'
  } catch (problem) {
    if (problem instanceof AccessRefusedError) return problem.reason
    throw problem
  }
}

const isUndone = (outcome: unknown): boolean =>
  typeof outcome === 'object' && outcome !== null && 'done' in outcome && outcome.done === false
