import type { WireRequest } from './dialect'

/** The key that an SDK authorizes itself with. */
export function bearerToken({ headers }: Pick<WireRequest, 'headers'>): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1]
}
