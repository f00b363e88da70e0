import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aFolder, openTestProduct, requireDone } from '#test/product/fixture'
import { anEnvelope, aSetWorld, chrome } from '#test/product/ingest-fixture'
import { aFlag, cohortRules } from '#test/random/random-flags'
import { inMainEnvironment, personProperty } from '#test/wire/flag-services'
import { type Condition, type Flag, mainEnvironment } from '#flags/flag'
import { type LoadedDefinitions, DefinitionsSnapshot } from '#flags/snapshot'
import { operator } from '#projects/access'
import type { Project } from '#projects/project'
import { StoreUnreachableError } from '#store/store'
import type { FlagRequest } from '#wire/dialect'
import { snapshotFile } from '#flags/open'
import { openLog } from '#server/log'
import { openProduct } from '#server/product'
import { openSnapshotWireServices, type SnapshotWireServices } from './snapshot-requests'

const away = new StoreUnreachableError('Nothing answers there.')

const aProject = (overrides: Partial<Project>): Project => ({
  id: 1,
  slug: 'acme',
  name: 'Acme',
  timeZone: 'UTC',
  writeKey: 'phc_acme',
  hosts: [],
  siteAddress: '',
  aliases: [],
  intake: {},
  answers: {},
  createdAt: new Date('2026-11-01'),
  archivedAt: undefined,
  ...overrides,
})

const acme = aProject({ hosts: ['acme.example'], aliases: ['old-token'] })
const gone = aProject({ id: 2, slug: 'gone', writeKey: 'phc_gone', archivedAt: new Date('2026-11-02') })
const other = aProject({ id: 3, slug: 'other', writeKey: 'phc_other', hosts: ['other.example'] })
const environments = [
  { projectId: 1, name: 'staging', writeKey: 'phc_staging' },
  { projectId: 2, name: 'staging', writeKey: 'phc_gone_staging' },
]

async function opened(folder: string, troubles: unknown[] = []): Promise<SnapshotWireServices | undefined> {
  const world = aSetWorld()
  const onTrouble = (problem: unknown) => void troubles.push(problem)
  return await openSnapshotWireServices({ dataFolder: folder, world, away, onTrouble })
}

/** As it is where these were known when the store answered last. */
async function wireServices(flags: readonly Flag[] = []): Promise<SnapshotWireServices> {
  const folder = aFolder()
  const known: LoadedDefinitions = {
    flags,
    cohorts: new Map([[1, cohortRules]]),
    projects: [acme, gone, other],
    environments,
  }
  await new DefinitionsSnapshot(join(folder, snapshotFile)).write(known)
  const services = await opened(folder)
  if (!services) throw new Error('The snapshot could not be read.')
  return services
}

test('projects are known by all their names, environments by their keys', async () => {
  const services = await wireServices()
  expect(services.findProject('phc_acme')).toEqual(acme)
  expect(services.findProject('old-token')).toEqual(acme)
  expect(services.findProjectByHost('other.example')).toEqual(other)
  expect(services.findProject('phc_staging')).toMatchObject({ id: 1, environment: 'staging' })
})

test.each<[string, (services: SnapshotWireServices) => unknown]>([
  ['whose key is not known: the project may be new', (services) => services.findProject('phc_new')],
  ['whose project was archived: it may be back', (services) => services.findProject('phc_gone')],
  [
    'whose project was archived, by an environment of it',
    (services) => services.findProject('phc_gone_staging'),
  ],
  ['from a host that is not known', (services) => services.findProjectByHost('new.example')],
  ['with a secret key, which is in the store', (services) => services.findProjectBySecret('secret')],
  [
    'without an id, whose salt is in the store',
    (services) => services.decide(asking({ distinctId: undefined })),
  ],
])('who comes %s is told to ask again', async (_, ask) => {
  const services = await wireServices([aFlag({ key: 'plain' })])
  await expect(async () => ask(services)).rejects.toBe(away)
})

test('events are to be sent again', async () => {
  const services = await wireServices()
  const notTaken = { taken: false, retryAfterSeconds: 1 }
  expect(await services.accept([], anEnvelope())).toEqual(notTaken)
  expect(await services.acceptTogether([])).toEqual(notTaken)
})

const asking = (more: Partial<FlagRequest> = {}): FlagRequest => ({
  environment: mainEnvironment,
  distinctId: 'ana',
  deviceId: undefined,
  anonymousId: undefined,
  groups: { company: 'acme' },
  person: {},
  groupProperties: {},
  keys: undefined,
  contexts: undefined,
  host: '',
  mayLocate: true,
  envelope: anEnvelope({ userAgent: chrome }),
  ...more,
})

const ofSize = { type: 'group', group: 'company', key: 'size', operator: 'gt', value: '10' } as const
const inCohort = (cohort: string) => ({ type: 'cohort', cohort, operator: 'in' }) as const
const sent = { person: { plan: 'pro' }, groupProperties: { company: { size: 50 } } }
const forMatching = (condition: Condition) => inMainEnvironment({ conditions: [condition] })

describe('a flag', () => {
  test.each<[string, Partial<Flag>, unknown, unknown]>([
    // which                                  as it is                    knowing nothing, and what was sent
    ['for everybody', {}, true, true],
    ['for nobody', { environments: inMainEnvironment({ percentage: 0 }) }, false, false],
    ['that is off', { environments: inMainEnvironment({}, { isOn: false }) }, false, false],
    ['by a property', { environments: forMatching(personProperty('plan', 'pro')) }, 'undecided', true],
    [
      'by another property',
      { environments: forMatching(personProperty('seats', '5')) },
      'undecided',
      'undecided',
    ],
    ['by the browser', { environments: forMatching(personProperty('$browser', 'Chrome')) }, true, true],
    ['by a group’s property', { environments: forMatching(ofSize) }, 'undecided', true],
    ['by a cohort of properties', { environments: forMatching(inCohort('7')) }, 'undecided', true],
    ['by a cohort somebody picked', { environments: forMatching(inCohort('9')) }, 'undecided', 'undecided'],
    ['by a cohort of deeds', { environments: forMatching(inCohort('10')) }, 'undecided', 'undecided'],
    ['kept through sign-in', { keepsThroughSignIn: true }, 'undecided', 'undecided'],
  ])('%s', async (_, failures, unknown, known) => {
    const services = await wireServices([aFlag({ key: 'one', ...failures })])
    const decided = async (more?: Partial<FlagRequest>) => {
      const { decisions, isComplete } = await services.decide(asking(more))
      const [{ value, reason } = { value: undefined, reason: { code: undefined } }] = decisions
      expect(isComplete).toBe(reason.code !== 'undecided')
      return reason.code === 'undecided' ? 'undecided' : value
    }
    expect([await decided(), await decided(sent)]).toEqual([unknown, known])
  })
})

test('there is none without a snapshot, nor over a broken one or one of another form', async () => {
  const folder = aFolder()
  const troubles: unknown[] = []
  expect(await opened(folder, troubles)).toBeUndefined()
  await writeFile(join(folder, snapshotFile), '{"form":1,"flags":[]}')
  expect(await opened(folder, troubles)).toBeUndefined()
  expect(troubles).toEqual([])
  await writeFile(join(folder, snapshotFile), '{"form":2,"fl')
  expect(await opened(folder, troubles)).toBeUndefined()
  expect(troubles).toEqual([expect.any(SyntaxError)])
})

test('the snapshot follows every change, and nothing in it is secret', async () => {
  const { folder, product: elsewhere, aProject: makeProject, aMember } = await openTestProduct()
  const front = await openProduct({ store: { folder }, intake: intakeIn(folder) })
  const inSnapshot = () => readFile(join(folder, snapshotFile), 'utf8')
  const follows = (text: string) => expect.poll(inSnapshot).toContain(text)
  const you = operator('Ana')
  const { id, writeKey } = await makeProject()
  await follows(writeKey)
  await aMember({ role: 'owner' })
  const { environment } = requireDone(await elsewhere.flags.environments.create(id, { name: 'staging' }, you))
  await follows(environment.writeKey)
  const { text } = requireDone(await elsewhere.projects.keys.create(id, { name: 'CI', scopes: 'every' }, you))
  const sealed = { kind: 'config', isSecret: true, servedTo: 'servers', payloads: { true: '"hush-hush"' } }
  requireDone(await elsewhere.flags.create(id, { key: 'api', ...sealed }, you))
  await follows('"api"')
  requireDone(await elsewhere.projects.change(id, { aliases: ['old-token'] }, you))
  await follows('old-token')

  const services = await opened(folder)
  expect(services?.findProject(writeKey)).toMatchObject({ id, slug: 'acme', aliases: ['old-token'] })
  expect(services?.findProject(environment.writeKey)).toMatchObject({ id, environment: 'staging' })
  expect(services?.flagsOf(id).map(({ key }) => key)).toEqual(['api'])
  for (const secret of [text, 'hush-hush', '@acme.example', 'argon2'])
    expect(await inSnapshot()).not.toContain(secret)

  requireDone(await elsewhere.flags.environments.remove(id, 'staging', you))
  await expect.poll(inSnapshot).not.toContain(environment.writeKey)
  await front.close()
})

const intakeIn = (dataFolder: string) => ({
  dataFolder,
  isAlone: true,
  diskSpace: async () => ({ freeBytes: 1, usedBytes: undefined, trouble: undefined }),
  log: openLog({ level: 'silent', format: 'json' }),
  onLiveEvent: () => {},
})
