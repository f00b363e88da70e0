import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { bearerChallenge, oauthPaths } from '#agent-access/addresses'
import {
  answerRegistration,
  answerResourceMetadata,
  answerServerMetadata,
  answerToken,
} from '#agent-access/answer-oauth'
import { type AgentLevel, agentLevels, levelWords, rightsOfLevel } from '#agent-access/levels'
import type { Exchange } from '#http/trusted-request'
import { operator } from '#projects/access'
import { openLog } from '#server/log'
import {
  type AssistantGeneration,
  assistantGenerations,
  assistantSignIns,
} from '#test/outside/assistant-sign-in'
import { aClientDocument, localhostCertificate } from '#test/outside/client-document'
import { anExchangeServer } from '#test/product/exchange-server'
import { openTestProduct, requireDone } from '#test/product/fixture'
import { expectPrintedTable, tableOf } from '#test/rules/printed-table'
import { answerMcp } from './answer-mcp'
import { agentRights } from './tools'

const log = openLog({ level: 'silent', format: 'json' })

/** Everything that an assistant asks while it signs in, but for the page; a member consents by a script. */
async function aServer() {
  const fixture = await openTestProduct({
    outbound: { allow: 'localhost 127.0.0.0/8 ::1/128', canMail: false },
  })
  const { product, aProject, aMember, signedIn } = fixture
  const acme = await aProject()
  const ada = await aMember({ name: 'Ada', role: 'editor' })
  const address = await anExchangeServer(async (exchange, body, addresses) => {
    const { path } = exchange.trustedRequest
    const answers: Record<string, () => void | Promise<void>> = {
      [`${oauthPaths.resourceMetadata}/mcp`]: () => answerResourceMetadata(exchange, addresses),
      [oauthPaths.serverMetadata]: () => answerServerMetadata(exchange, addresses),
      [oauthPaths.register]: () => answerRegistration(exchange, body, product),
      [oauthPaths.token]: () => answerToken(exchange, body, product),
      '/mcp': () => answerMcp(exchange, body, { product, log, addresses }),
    }
    await (answers[path] ?? (() => notFound(exchange)))()
  })
  const consent = (level: AgentLevel) => async (page: URL) => {
    const parameters = Object.fromEntries(page.searchParams)
    const viewer = await signedIn(ada)
    const chosen = { project: acme.id, level }
    const { consent: asking } = product.agentAccess
    const approved = await asking.approve(parameters, chosen, viewer, address.origin)
    return new URL(requireDone(approved).location)
  }
  return { ...fixture, acme, ada, address: new URL('/mcp', address), consent }
}

const notFound = ({ response }: Exchange) => void response.writeHead(404).end()

async function signIn(
  generation: AssistantGeneration,
  { address, consent }: Awaited<ReturnType<typeof aServer>>,
  document?: string,
) {
  const assistant = await assistantSignIns[generation](address, consent('read'), document)
  onTestFinished(() => assistant.close())
  return assistant
}

test.each(assistantGenerations)(
  'the client of %s registers itself, signs in and reads, until a member ends it',
  async (generation) => {
    const server = await aServer()
    const assistant = await signIn(generation, server)
    expect(await assistant.call('get_project')).toContain(server.acme.name)
    const { agentAccess } = server.product
    const [connection] = await agentAccess.list(server.acme.id, operator())
    expect(connection).toMatchObject({ clientName: 'Claude Code', level: 'read', usedAt: server.world.now() })
    requireDone(await agentAccess.revoke(server.acme.id, connection?.id ?? '', operator()))
    await expect(assistant.call('get_project')).rejects.toThrow()
  },
)

test.each(assistantGenerations)(
  'the client of %s signs in with a document that describes it',
  async (generation) => {
    trustLocalhost()
    const redirect_uris = ['http://127.0.0.1/callback']
    const document = await aClientDocument((client_id) => ({ client_id, client_name: 'Desk', redirect_uris }))
    const server = await aServer()
    const assistant = await signIn(generation, server, document)
    expect(await assistant.call('get_project')).toContain(server.acme.name)
    const [connection] = await server.product.agentAccess.list(server.acme.id, operator())
    expect(connection).toMatchObject({ clientId: document, clientName: 'Desk' })
  },
)

function trustLocalhost(): void {
  const before = getCACertificates()
  setDefaultCACertificates([...before, localhostCertificate])
  onTestFinished(() => setDefaultCACertificates(before))
}

test('no assistant is answered where an admin has switched them off, with a key neither', async () => {
  const server = await aServer()
  const { product, acme } = server
  const assistant = await signIn(2025, server)
  const { text } = requireDone(
    await product.projects.keys.create(acme.id, { name: 'CI', scopes: 'every' }, operator()),
  )
  const askWithKey = async () =>
    await fetch(server.address, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${text}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
  expect((await askWithKey()).status).toBe(200)
  requireDone(await product.agentAccess.change(acme.id, { mayConnect: false }, operator()))
  await expect(assistant.call('get_project')).rejects.toThrow(/403|may not connect/)
  expect((await askWithKey()).status).toBe(403)
  requireDone(await product.agentAccess.change(acme.id, { mayConnect: true }, operator()))
  expect(await assistant.call('get_project')).toContain(acme.name)
})

test('the refusal without a sign-in says where to sign in', async () => {
  const { address } = await aServer()
  const { status, headers } = await fetch(address, { method: 'POST' })
  expect(status).toBe(401)
  expect(headers.get('www-authenticate')).toBe(bearerChallenge(address.origin, { hasToken: false }))
})

test('docs/agents.md says what each level means', () => {
  const rows = agentLevels.map((level) => [levelWords[level].label, levelWords[level].means])
  expectPrintedTable('levels', tableOf(['level', 'means'], rows), 'agents.md')
})

test('who lets an assistant read lets it use every tool that reads', () => {
  const toRead = agentRights.filter((right) => right.endsWith(':read'))
  expect(toRead.filter((right) => !rightsOfLevel.read.includes(right))).toEqual([])
})
