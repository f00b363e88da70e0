import { z } from 'zod'
import type { Outbound } from '#outbound/outbound'
import { nameFor } from '#projects/name'
import { newId } from '#projects/secrets'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import { redirectObjection } from './redirects'
import { addClient, findClient, removeUnusedClients } from './stored-clients'

/** A program that members can let act for them. */
export interface AgentClient {
  id: string
  /** As the program says; only its addresses prove something. */
  name: string
  redirectUris: readonly string[]
}

/** A refusal in the words of RFC 6749 and RFC 7591. */
export interface OAuthRefusal {
  granted: false
  error: string
  why: string
}

export const refusedAs = (error: string, why: string): OAuthRefusal => ({ granted: false, error, why })

const redirectUri = z.string().refine((text) => redirectObjection(text) === undefined, {
  error: ({ input }) => redirectObjection(String(input)),
})

/** The part that is read of the metadata of a client (RFC 7591, section 2). */
const clientMetadata = z.object({
  client_name: nameFor('Name the client.').optional(),
  redirect_uris: z
    .array(redirectUri, { error: 'List the redirect URIs.' })
    .min(1, 'List the redirect URIs.')
    .max(20, 'List at most 20 redirect URIs.'),
})
const clientDocument = clientMetadata.extend({ client_id: z.string() })

/** A program keeps its id after its access was revoked, and asks with it again. */
const unusedMs = 90 * 24 * 60 * 60_000
/** Programs without access; above it, the oldest make room. */
const mostUnused = 500
const mostDocumentBytes = 16 * 1024

interface AgentClientsDependencies {
  store: Store
  world: World
  outbound: Pick<Outbound, 'fetch'>
}

/** Programs that register themselves, or that an https address describes. */
export class AgentClients {
  constructor(private readonly dependencies: AgentClientsDependencies) {}

  /** Registers a program (RFC 7591). Without access it is forgotten after 90 days. */
  async register(
    metadata: unknown,
  ): Promise<{ granted: true; client: AgentClient; createdAt: Date } | OAuthRefusal> {
    const parsed = clientMetadata.safeParse(metadata)
    if (!parsed.success) return metadataRefusal(parsed.error)
    const { store, world } = this.dependencies
    const createdAt = world.now()
    const { client_name: name, redirect_uris: redirectUris } = parsed.data
    const client = { id: newId(world), name: name ?? hostOf(redirectUris), redirectUris }
    await store.transaction(async (transaction) => {
      const before = new Date(createdAt.getTime() - unusedMs)
      await removeUnusedClients(transaction, { before, most: mostUnused - 1 })
      await addClient(transaction, { ...client, createdAt })
    })
    return { granted: true, client, createdAt }
  }

  /** Finds a program by its id: one that registered itself, or an address with a description. */
  async find(id: string): Promise<AgentClient | OAuthRefusal> {
    if (/^https?:/i.test(id)) return await this.readDocument(id)
    const client = await findClient(this.dependencies.store, id)
    return client ?? refusedAs('invalid_client', 'This program is not known here. Start the sign-in again.')
  }

  /** Reads a client metadata document (draft-ietf-oauth-client-id-metadata-document). */
  private async readDocument(id: string): Promise<AgentClient | OAuthRefusal> {
    const url = URL.parse(id)
    if (url?.protocol !== 'https:' || url.pathname === '/' || url.href !== id || id.includes('#'))
      return refusedAs('invalid_client', 'The id of a program is an https address with a path.')
    const document = await this.fetchDocument(id)
    if (typeof document === 'string') return refusedAs('invalid_client', `${id}: ${document}`)
    const parsed = clientDocument.safeParse(document.json)
    if (!parsed.success) return metadataRefusal(parsed.error)
    const { client_id: named, client_name: name, redirect_uris: redirectUris } = parsed.data
    if (named !== id) return refusedAs('invalid_client', `${id} describes another program.`)
    return { id, name: name ?? url.host, redirectUris }
  }

  private async fetchDocument(address: string): Promise<{ json: unknown } | string> {
    try {
      const { outbound } = this.dependencies
      const response = await outbound.fetch(address, {
        method: 'GET',
        headers: { accept: 'application/json' },
        mostBytes: mostDocumentBytes,
      })
      if (response.status !== 200) return `The program is not described there (${response.status}).`
      return { json: await response.json() }
    } catch (problem) {
      return problem instanceof TypeError ? problem.message : 'The program’s description cannot be read.'
    }
  }
}

function metadataRefusal({ issues: [issue] }: z.ZodError): OAuthRefusal {
  const error = issue?.path[0] === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata'
  return refusedAs(error, issue?.message ?? 'This is not the metadata of a client.')
}

const hostOf = ([first]: readonly string[]): string => URL.parse(first ?? '')?.host ?? 'a program'
