import type { UmamiVersion } from './endpoint'

/** A request of Umami's API: the path below its base, and the version whose answers the client understands. */
export interface UmamiAddress {
  path: string
  version: UmamiVersion
}

/** The first parts of Umami's addresses. Under /api/users, PostHog has an address of its own. */
const roots = String.raw`auth|me|websites|reports|realtime|teams|admin|boards|links|pixels|share|heartbeat|users(?!/@me)`

/** Umami's own base, and that of its cloud, whose clients send a key in each request and may name a region. */
const ofServer = new RegExp(String.raw`^/api(/(?:${roots})(?:/.*)?)$`)
const ofCloud = new RegExp(String.raw`^/v1(?:/us|/eu)?(/(?:${roots})(?:/.*)?)$`)

/** A base that names the version, for clients that cannot read the answers of the current one. */
const ofVersion = /^\/_tilth\/umami\/v([23])(?:\/api|\/v1)?(\/.*)$/

/** Finds Umami's API in a path; undefined for others. A site may have pages below /v1, which are asked for without a key. */
export function umamiAddressIn(path: string, hasKey: boolean): UmamiAddress | undefined {
  const trimmed = path.replace(/(?<=.)\/+$/, '')
  const versioned = ofVersion.exec(trimmed)
  if (versioned) return { path: versioned[2] ?? '', version: versioned[1] === '2' ? 2 : 3 }
  const [, below] = ofServer.exec(trimmed) ?? (hasKey ? ofCloud.exec(trimmed) : undefined) ?? []
  return below === undefined ? undefined : { path: below, version: 3 }
}
