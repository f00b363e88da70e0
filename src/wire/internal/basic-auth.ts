import type { WireRequest } from '../dialect'

/** Reads the user of the authorization header, where several vendors' clients put the key. */
export function basicAuthUser({ headers }: Pick<WireRequest, 'headers'>): string | undefined {
  const [, encoded = ''] = /^Basic\s+([\w+/=-]{1,500})$/i.exec(headers.authorization ?? '') ?? []
  const [user = ''] = Buffer.from(encoded, 'base64').toString().split(':', 1)
  return user === '' ? undefined : user
}
