import { z } from 'zod'

const extension = 'io.modelcontextprotocol/ui'
const mimeType = 'text/html;profile=mcp-app'

const capabilities = z.object({
  extensions: z.object({ [extension]: z.object({ mimeTypes: z.array(z.string()) }) }),
})
const initializeMessage = z.object({
  method: z.literal('initialize'),
  params: z.object({ capabilities }),
})
const statedMessage = z.object({
  params: z.object({ _meta: z.object({ 'io.modelcontextprotocol/clientCapabilities': capabilities }) }),
})

/**
 * The session of clients that show pictures. The revisions of 2025 say what a client can only once, in `initialize`, and
 * have this header for what a server wants repeated. It names nothing that is kept, and grants nothing.
 */
export const picturesSession = { name: 'mcp-session-id', value: 'pictures' } as const

/** Whether a message is the `initialize` of a client that shows pictures. */
export function initializesWithPictures(message: unknown): boolean {
  const { data } = initializeMessage.safeParse(message)
  return data !== undefined && showsPictures(data.params.capabilities)
}

/** Whether a message of a later revision, each of which says what its client can, is of one that shows pictures. */
function statesPictures(message: unknown): boolean {
  const { data } = statedMessage.safeParse(message)
  const stated = data?.params['_meta']['io.modelcontextprotocol/clientCapabilities']
  return stated !== undefined && showsPictures(stated)
}

const showsPictures = ({ extensions }: z.infer<typeof capabilities>): boolean =>
  extensions[extension]?.mimeTypes.includes(mimeType) ?? false

/** A client as its message shows it. */
export interface PictureClient {
  showsPictures: boolean
  /** Whether it must be given the session, to show them also of later messages. */
  needsSession: boolean
}

export function pictureClient(body: Buffer, session: string | string[] | undefined): PictureClient {
  if (session === picturesSession.value) return { showsPictures: true, needsSession: false }
  // other clients do not pay for a second reading of what they send
  const message = body.includes(extension) ? jsonIn(body.toString()) : undefined
  const needsSession = initializesWithPictures(message)
  return { showsPictures: needsSession || statesPictures(message), needsSession }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // the server of MCP refuses it with its own words
    return undefined
  }
}
