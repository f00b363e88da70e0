import type { TilthBootstrap } from '@tilth/react'

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** A visitor and every decision for them, carried from the proxy to what renders the page. */
export interface Visit {
  /** Undefined for visitors who are told apart for a day. */
  visitor: string | undefined
  /** Whether posthog-js knows this id from its own cookie. */
  isKnownToPosthog: boolean
  isCrawler: boolean
  /** Whether a preview link forces values: such a visit is not counted. */
  isPreview: boolean
  /** Whether the proxy counts the view. */
  isViewCounted: boolean
  /** The address of the document that was asked for. */
  url: string
  exposureSeed: string
  flags: Readonly<Record<string, boolean | string>>
  payloads: Readonly<Record<string, Json>>
  /** Flags that browsers must not get. */
  serverOnly: readonly string[]
}

/** Carries the visit to the page. Set for every request that passes the proxy, so that no client can send its own. */
export const visitHeader = 'x-tilth-visit'

/** The header's value when Tilth did not answer in time. */
export const away = 'away'

export const isCounted = ({ isCrawler, isPreview }: Visit): boolean => !isCrawler && !isPreview

/** The part of a visit that the browser gets. */
export function bootstrapOf(visit: Visit): TilthBootstrap {
  const { flags, payloads, serverOnly, visitor, exposureSeed, isViewCounted } = visit
  const withoutServerOnly = <Value>(record: Readonly<Record<string, Value>>): Record<string, Value> =>
    Object.fromEntries(Object.entries(record).filter(([key]) => !serverOnly.includes(key)))
  return {
    flags: withoutServerOnly(flags),
    payloads: withoutServerOnly(payloads),
    ...(visitor !== undefined && { visitor }),
    exposureSeed,
    isViewCounted,
    isCounted: isCounted(visit),
  }
}

/** Decisions could not be had: the page shows its originals at once, and the browser counts the view. */
export const emptyBootstrap: TilthBootstrap = { flags: {}, payloads: {}, isViewCounted: false }

/** Signed with the secret key, because requests that the proxy does not match keep the headers of their clients. */
export async function sealVisit(visit: Visit, secretKey: string): Promise<string> {
  const text = toBase64(new TextEncoder().encode(JSON.stringify(visit)))
  const signature = await crypto.subtle.sign('HMAC', await hmacKey(secretKey), new TextEncoder().encode(text))
  return `${text}.${toBase64(new Uint8Array(signature))}`
}

/** Returns undefined for a header that is missing or was not made by this app's proxy. */
export async function openVisit(
  header: string | null | undefined,
  secretKey: string,
): Promise<Visit | undefined> {
  const [text, signature] = header?.split('.') ?? []
  if (!text || !signature) return undefined
  const key = await hmacKey(secretKey)
  const isOurs = await crypto.subtle.verify(
    'HMAC',
    key,
    fromBase64(signature),
    new TextEncoder().encode(text),
  )
  // only `sealVisit` makes signed texts
  return isOurs ? (JSON.parse(new TextDecoder().decode(fromBase64(text))) as Visit) : undefined
}

let known: { secretKey: string; key: Promise<CryptoKey> } | undefined

function hmacKey(secretKey: string): Promise<CryptoKey> {
  if (known?.secretKey !== secretKey) {
    const bytes = new TextEncoder().encode(`visit ${secretKey}`)
    const usages = ['sign', 'verify'] as const
    known = {
      secretKey,
      key: crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, usages),
    }
  }
  return known.key
}

// edge runtimes have no Buffer
const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))

/** Text that is no base64 gives bytes that no signature fits. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
