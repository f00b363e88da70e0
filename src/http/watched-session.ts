import type { IncomingMessage } from 'node:http'
import { cookieValue } from '#ingest/cookies'
import { AccessRefusedError, type Viewer } from '#projects/access'
import { requestOrigin } from '#projects/origin'
import type { Project } from '#projects/project'
import { sessionCookie } from '#projects/session-cookie'
import type { TrustedRequest } from './trusted-request'
import type { Product } from '#server/product'

/** A member's session and the project that it requests: by default the last part of the address. */
export interface ProjectSession {
  project: Project
  viewer: Viewer
}

/** Returns undefined for anyone who may not see the project; all of them get the same refusal. */
export async function authenticateMember(
  request: IncomingMessage,
  trustedRequest: TrustedRequest,
  product: Pick<Product, 'signIn' | 'projects'>,
  { isUse = true, slug = lastPartOf(trustedRequest.path) }: { isUse?: boolean; slug?: string } = {},
): Promise<ProjectSession | undefined> {
  const viewer = await memberOf(request, trustedRequest, product, { isUse })
  const project = viewer && projectVisibleTo(viewer, slug, product)
  return project && { project, viewer }
}

/** The member whose session a request has. */
export async function memberOf(
  request: IncomingMessage,
  trustedRequest: TrustedRequest,
  { signIn }: Pick<Product, 'signIn'>,
  options: { isUse: boolean },
): Promise<Viewer | undefined> {
  const { sessions } = signIn
  const origin = requestOrigin({
    address: trustedRequest.client,
    userAgent: request.headers['user-agent'] ?? '',
    requestId: trustedRequest.requestId,
  })
  const token = cookieValue(request.headers.cookie, sessionCookie(trustedRequest.protocol === 'https').name)
  return await sessions.viewer(token, origin, options)
}

const lastPartOf = (path: string): string => decodeURIComponent(path.split('/').at(-1) ?? '')

function projectVisibleTo(
  viewer: Viewer,
  name: string,
  { projects }: Pick<Product, 'projects'>,
): Project | undefined {
  try {
    return projects.find(name, viewer)
  } catch (problem) {
    if (problem instanceof AccessRefusedError) return undefined
    throw problem
  }
}
