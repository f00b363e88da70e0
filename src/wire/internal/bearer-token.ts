import type { WireRequest } from '../dialect'

/** Reads the key in the authorization header. */
export function bearerToken({ headers }: Pick<WireRequest, 'headers'>): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1]
}
