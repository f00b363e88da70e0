import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describedAnswers } from '#test/rules/api-description'
import { aWorld, requireDone, memberHelpers, testOrigin } from '#test/product/fixture'
import { expectPrintedTable, tableOf } from '#test/rules/printed-table'
import type { Engine } from '#engine/engine'
import { StreamedBody } from '#http/streamed-body'
import { operator, type Right, scopes } from '#projects/access'
import type { Project } from '#projects/project'
import { type ApiResponse, handleApiRequest, endpoints } from './endpoints'
import { openProduct, type Product } from '#server/product'
import { rightsOf, type Endpoint } from './internal/endpoint'
import { describe as describeApi } from './internal/openapi'

/** The key that a request sends. */
type Caller = 'no key' | 'forged key' | 'revoked key' | 'expired key' | 'key of another project' | 'key'

const folder = mkdtempSync(join(tmpdir(), 'tilth-'))
let product: Product
let acme: Project
let keyTexts: Record<Caller, string | undefined>
/** Keys with every scope but one. */
const lacking = new Map<Right, string>()
/** Keys with these scopes alone, by their list. */
const holding = new Map<string, string>()

beforeAll(async () => {
  const world = aWorld()
  // no events were ever stored
  const engine = { query: async () => [] } as unknown as Engine
  product = await openProduct({ store: { folder }, world, engine })
  const { aProject } = memberHelpers(product)
  acme = await aProject({ name: 'Acme' })
  const other = await aProject({ name: 'Other' })
  const revoked = await aKey(acme, scopes)
  requireDone(await product.projects.keys.revoke(acme.id, revoked.id, operator()))
  const expired = await aKey(acme, scopes, 30)
  world.advance('31 days')
  const { text } = await aKey(acme, scopes)
  keyTexts = {
    'no key': undefined,
    'forged key': `${text.slice(0, -4)}${text.endsWith('aaaa') ? 'bbbb' : 'aaaa'}`,
    'revoked key': revoked.text,
    'expired key': expired.text,
    'key of another project': (await aKey(other, scopes)).text,
    key: text,
  }
  for (const right of scopes) {
    const held = scopes.filter((scope) => scope !== right)
    lacking.set(right, (await aKey(acme, held)).text)
  }
  const lists = [...scopes.map((scope) => [scope]), ...ofProject.map(([, endpoint]) => rightsOf(endpoint))]
  for (const list of lists) holding.set(list.join(), (await aKey(acme, list)).text)
})

afterAll(async () => {
  await product.close()
  rmSync(folder, { recursive: true })
})

async function aKey(
  project: Project,
  held: readonly Right[],
  days?: number,
): Promise<{ id: string; text: string }> {
  const wanted = { name: 'A key', scopes: held, days }
  const { key, text } = requireDone(await product.projects.keys.create(project.id, wanted, operator()))
  return { id: key.id, text }
}

const expectDescribed = describedAnswers(describeApi(endpoints))

const addressOf = ({ method, path }: Endpoint): string => `${method} ${path}`

async function answerTo({ method, path }: Endpoint, key: string | undefined): Promise<ApiResponse> {
  const request = {
    method,
    path: path.replace('{project}', acme.slug).replaceAll(/\{\w+\}/g, 'x'),
    query: new URLSearchParams(),
    authorization: key && `Bearer ${key}`,
    body: async () => new TextEncoder().encode('{}'),
    origin: testOrigin,
  }
  const answer = await handleApiRequest(request, product)
  if (!(answer.body instanceof StreamedBody))
    expectDescribed({ ...request, ...answer, body: asJson(answer.body) })
  return answer
}

const asJson = (body: unknown): unknown => JSON.parse(JSON.stringify(body))

const statusFor = async (endpoint: Endpoint, key: string | undefined): Promise<number> =>
  (await answerTo(endpoint, key)).status

/** Whether a key is let in: only then it is said that an entry is missing. */
async function isLetIn(endpoint: Endpoint, key: string | undefined): Promise<boolean> {
  const { status, body } = await answerTo(endpoint, key)
  if (status === 404) return /"There is no such (?!project)/.test(JSON.stringify(body))
  return ![401, 403, 405].includes(status)
}

const all = endpoints.map((endpoint) => [addressOf(endpoint), endpoint] as const)
/** The others name no project; the key itself does. */
const ofProject = all.filter(([, { path }]) => path.includes('{project}'))

describe('an endpoint', () => {
  test.each(all)('%s is closed to every key that is not valid', async (_, endpoint) => {
    const callers = ['no key', 'forged key', 'revoked key', 'expired key'] as const
    for (const caller of callers) {
      expect([caller, await statusFor(endpoint, keyTexts[caller])]).toEqual([caller, 401])
    }
  })

  test.each(ofProject)(
    '%s tells a key of another project that there is no such project',
    async (_, endpoint) => {
      expect(await statusFor(endpoint, keyTexts['key of another project'])).toBe(404)
    },
  )

  test.each(ofProject)('%s asks for the scopes that its description names', async (_, endpoint) => {
    expect(rightsOf(endpoint)).not.toEqual([])
    for (const right of rightsOf(endpoint)) expect(await statusFor(endpoint, lacking.get(right))).toBe(403)
    expect(await isLetIn(endpoint, keyTexts.key)).toBe(true)
  })

  test.each(ofProject)('%s is opened by its scopes alone, and by no other scope', async (_, endpoint) => {
    const needed = rightsOf(endpoint)
    const refusing: Right[] = []
    for (const scope of scopes)
      if ((await statusFor(endpoint, holding.get(scope))) === 403) refusing.push(scope)

    expect(refusing).toEqual(scopes.filter((scope) => needed.some((right) => right !== scope)))
    expect(await isLetIn(endpoint, holding.get(needed.join()))).toBe(true)
  })

  test('names a project; otherwise it lists what the key may see, or no key may use it', async () => {
    const statuses: Record<string, number> = {}
    for (const [address, endpoint] of all) {
      if (!endpoint.path.includes('{project}')) statuses[address] = await statusFor(endpoint, keyTexts.key)
    }

    expect(statuses).toEqual({ 'GET /projects': 200, 'POST /projects': 403 })
  })
})

test('docs/authorization.md prints the scope of every endpoint', () => {
  expectPrintedTable(
    'endpoints',
    tableOf(
      ['Endpoint below `/api/v1`', 'Needs the scopes'],
      all.map(([address, endpoint]) => [
        `\`${address}\``,
        rightsOf(endpoint).length > 0
          ? rightsOf(endpoint)
              .map((right) => `\`${right}\``)
              .join(', ')
          : endpoint.method === 'GET'
            ? 'none; it lists what the key may see'
            : 'no key may use it',
      ]),
    ),
  )
})
