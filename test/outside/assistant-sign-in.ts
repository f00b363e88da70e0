import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { UnauthorizedError as EarlierUnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

/** The memory of an assistant that signs in, as the official clients ask for it. */
class AssistantMemory {
  readonly redirectUrl = 'http://127.0.0.1:7777/callback'
  authorizationUrl: URL | undefined
  private readonly kept = new Map<string, unknown>()

  constructor(readonly clientMetadataUrl: string | undefined) {}

  get clientMetadata() {
    return {
      client_name: 'Claude Code',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
  }

  state = () => 'state-of-the-assistant'
  clientInformation = () => this.read('client')
  saveClientInformation = (client: unknown) => void this.kept.set('client', client)
  tokens = () => this.read('tokens')
  saveTokens = (tokens: unknown) => void this.kept.set('tokens', tokens)
  codeVerifier = () => String(this.kept.get('verifier'))
  saveCodeVerifier = (verifier: string) => void this.kept.set('verifier', verifier)
  discoveryState = () => this.read('discovery')
  saveDiscoveryState = (state: unknown) => void this.kept.set('discovery', state)
  redirectToAuthorization = (url: URL) => void (this.authorizationUrl = url)

  // each is read as the client saved it
  private read = (name: string) => this.kept.get(name) as never
}

const self = { name: 'Claude Code', version: '1' }

interface SignedInAssistant {
  call: (name: string, given?: Record<string, unknown>) => Promise<string>
  tools: () => Promise<string[]>
  close: () => Promise<void>
}

/** Sends a member to the consent page, and returns the address that the page leads back to. */
type AskConsent = (page: URL) => Promise<URL>

/** The official clients of both generations, each signing in by OAuth for real. */
export const assistantSignIns = {
  async '2026-07-28'(address: URL, consent: AskConsent, document?: string): Promise<SignedInAssistant> {
    const memory = new AssistantMemory(document)
    const transport = () => new StreamableHTTPClientTransport(address, { authProvider: memory })
    const first = transport()
    const unknown = new Client(self, { versionNegotiation: { mode: 'auto' } })
    await refusedWith(UnauthorizedError, unknown.connect(first))
    await first.finishAuth((await consent(pageOf(memory))).searchParams)
    const client = new Client(self, { versionNegotiation: { mode: 'auto' } })
    await client.connect(transport())
    return {
      call: async (name, given = {}) => JSON.stringify(await client.callTool({ name, arguments: given })),
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      close: () => client.close(),
    }
  },
  async 2025(address: URL, consent: AskConsent, document?: string): Promise<SignedInAssistant> {
    const memory = new AssistantMemory(document)
    const transport = () => new EarlierTransport(address, { authProvider: memory })
    const first = transport()
    await refusedWith(EarlierUnauthorizedError, new EarlierClient(self).connect(first))
    await first.finishAuth((await consent(pageOf(memory))).searchParams.get('code') ?? '')
    const client = new EarlierClient(self)
    await client.connect(transport())
    return {
      call: async (name, given = {}) => JSON.stringify(await client.callTool({ name, arguments: given })),
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      close: () => client.close(),
    }
  },
}

export type AssistantGeneration = keyof typeof assistantSignIns
export const assistantGenerations: readonly AssistantGeneration[] = ['2026-07-28', 2025]

async function refusedWith(
  kind: new (message?: string) => Error,
  connecting: Promise<unknown>,
): Promise<void> {
  const problem = await connecting.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(problem instanceof kind)) throw new Error('The client was not asked to sign in.', { cause: problem })
}

function pageOf({ authorizationUrl }: AssistantMemory): URL {
  if (!authorizationUrl) throw new Error('The client did not lead to a page.')
  return authorizationUrl
}
