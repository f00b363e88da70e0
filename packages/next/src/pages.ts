import type { FlagKey, FlagValue, MaybePayload, PayloadKey, TilthBootstrap } from '@tilth/react'
import { readConfig } from './config'
import { exposureOf } from './exposure'
import { senderOf } from './sender'
import { away, bootstrapOf, emptyBootstrap, openVisit, visitHeader } from './visit'

/** A request as `getServerSideProps` and API routes get it. */
interface PageRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>
}

interface PageVisit {
  /** The props of `<TilthProvider {...pageProps.tilth}>` in `_app`, which survive JSON. */
  props: { address: string; project: string; bootstrap: TilthBootstrap | null }
  /** Reads a flag and reports the exposure. */
  flag<Key extends FlagKey>(key: Key, fallback?: FlagValue<Key>): FlagValue<Key>
  /** Reads what a flag or a remote configuration carries, and reports the exposure. */
  payload<Key extends PayloadKey>(key: Key): MaybePayload<Key>
}

/** The visit that the proxy began, in `getServerSideProps`. */
export async function getPageVisit({ headers }: PageRequest): Promise<PageVisit> {
  const config = readConfig()
  const header = String(headers[visitHeader] ?? '')
  const visit = config && (await openVisit(header, config.secretKey))
  const sender = config && senderOf({ get: (name) => headers[name]?.toString() }, config.trustedProxies)
  const report = (key: string): void => {
    const exposure = visit && config && sender && exposureOf(key, visit, sender, config)
    if (exposure) runLater(exposure())
  }
  const bootstrap = visit ? bootstrapOf(visit) : header === away ? emptyBootstrap : null
  return {
    props: { address: config?.publicAddress ?? '', project: config?.project ?? '', bootstrap },
    flag,
    payload,
  }

  function flag<Key extends FlagKey>(key: Key, fallback?: FlagValue<Key>): FlagValue<Key>
  function flag(key: string, fallback: boolean | string = false): boolean | string {
    report(key)
    return valueIn(visit?.flags, key) ?? fallback
  }

  function payload<Key extends PayloadKey>(key: Key): MaybePayload<Key>
  function payload(key: string): unknown {
    report(key)
    return valueIn(visit?.payloads, key)
  }
}

const valueIn = <Value>(
  record: Readonly<Record<string, Value>> | undefined,
  key: string,
): Value | undefined => (record && Object.hasOwn(record, key) ? record[key] : undefined)

interface RequestContext {
  get?: () => { waitUntil?: (work: Promise<unknown>) => void } | undefined
}

/** Hosts that freeze a function after its response say so in this place. */
function runLater(work: Promise<unknown>): void {
  const context = (globalThis as Record<symbol, RequestContext | undefined>)[
    Symbol.for('@next/request-context')
  ]
  context?.get?.()?.waitUntil?.(work)
}
