import type { IncomingMessage } from 'node:http'
import { Refused, type Viewer } from '../projects/access'
import { originOf } from '../projects/origin'
import type { Project } from '../projects/project'
import { sessionCookie } from '../projects/session-cookie'
import type { Arrival } from './arrival'
import type { Product } from './product'

/** A member's session and the project it asks for, by the last part of the address. */
export interface Watching {
  project: Project
  viewer: Viewer
}

/** Undefined for everybody who may not see that project, who are all told the same. */
export async function whoWatches(
  request: IncomingMessage,
  arrival: Arrival,
  product: Product,
): Promise<Watching | undefined> {
  const origin = originOf({
    address: arrival.client,
    userAgent: request.headers['user-agent'] ?? '',
    requestId: arrival.requestId,
  })
  const token = cookieIn(request.headers.cookie ?? '', sessionCookie(arrival.protocol === 'https').name)
  const viewer = await product.sessions.viewer(token, origin)
  const project = viewer && projectSeenBy(viewer, named(arrival.path), product)
  return project && { project, viewer }
}

const named = (path: string): string => decodeURIComponent(path.split('/').at(-1) ?? '')

function projectSeenBy(viewer: Viewer, name: string, { projects }: Product): Project | undefined {
  try {
    return projects.find(name, viewer)
  } catch (problem) {
    if (problem instanceof Refused) return undefined
    throw problem
  }
}

function cookieIn(header: string, name: string): string | undefined {
  const pairs = header.split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}
