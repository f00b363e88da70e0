import {
  type FlagKey,
  type FlagValue,
  type MaybePayload,
  type PayloadKey,
  type PayloadOf,
  TilthProvider,
} from '@tilth/react'
import type { TilthBootstrap, TilthProviderProps } from '@tilth/react'
import { workAsyncStorage } from 'next/dist/server/app-render/work-async-storage.external.js'
import { headers } from 'next/headers.js'
import { after } from 'next/server.js'
import { cache, createElement, type ReactNode } from 'react'
import { readConfig } from './config'
import { exposureOf } from './exposure'
import { senderOf } from './sender'
import { away, bootstrapOf, emptyBootstrap, openVisit, type Visit, visitHeader } from './visit'

export type { Visit }

const readHeader = async (): Promise<string | null> => (await headers()).get(visitHeader)

/** The visit that the proxy began; undefined where it did not run, or Tilth did not answer in time. */
export const getVisit: () => Promise<Visit | undefined> = cache(async () => {
  const header = await readHeader()
  const config = readConfig()
  return config && openVisit(header, config.secretKey)
})

/** Reads a flag in a server component and reports the exposure. `fallback` applies where it is not decided. */
export async function getFlag<Key extends FlagKey>(
  key: Key,
  fallback?: FlagValue<Key>,
): Promise<FlagValue<Key>>
export async function getFlag(key: string, fallback: boolean | string = false): Promise<boolean | string> {
  const { flags = {} } = (await reportExposure(key)) ?? {}
  return (Object.hasOwn(flags, key) ? flags[key] : undefined) ?? fallback
}

/** Reads what a flag or a remote configuration carries, and reports the exposure. */
export async function getFlagPayload<Key extends PayloadKey>(key: Key): Promise<MaybePayload<Key>>
export async function getFlagPayload<Key extends PayloadKey>(
  key: Key,
  fallback: PayloadOf<Key>,
): Promise<PayloadOf<Key>>
export async function getFlagPayload(key: string, fallback?: unknown): Promise<unknown> {
  const { payloads = {} } = (await reportExposure(key)) ?? {}
  return Object.hasOwn(payloads, key) ? payloads[key] : fallback
}

/** The bootstrap of a `TilthProvider`; undefined where the proxy did not run, so that browsers ask themselves. */
export async function getBootstrap(): Promise<TilthBootstrap | undefined> {
  const visit = await getVisit()
  if (visit) return bootstrapOf(visit)
  return (await readHeader()) === away ? emptyBootstrap : undefined
}

type TilthProps = Omit<TilthProviderProps, 'address' | 'project' | 'bootstrap'> &
  Partial<Pick<TilthProviderProps, 'address' | 'project'>>

/** Gives this visit's decisions to the client components in it. It belongs into the root layout. */
export async function Tilth({ children, ...props }: TilthProps): Promise<ReactNode> {
  const config = readConfig()
  const { publicAddress: address = '', project = '' } = config ?? {}
  const bootstrap = config ? await getBootstrap() : emptyBootstrap
  return createElement(TilthProvider, { address, project, ...props, bootstrap }, children)
}

/** Reports after the response. What a link fetches ahead is no exposure. */
async function reportExposure(key: string): Promise<Visit | undefined> {
  const [visit, config] = [await getVisit(), readConfig()]
  if (!visit || !config || workAsyncStorage.getStore()?.isPrefetchRequest) return visit
  const report = exposureOf(key, visit, senderOf(await headers(), config.trustedProxies), config)
  if (report) after(report)
  return visit
}
