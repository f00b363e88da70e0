import { useEffect, useSyncExternalStore } from 'react'
import type { FlagSnapshot } from './client'
import type { EventDetails } from './delivery'
import { callClient, useClient } from './provider'
import type { FlagKey, FlagValue, MaybePayload, PayloadKey, PayloadOf } from './register'

/** Reads the decisions without reporting that they were used. */
export function useFlagSnapshot(): FlagSnapshot {
  const { subscribe, getSnapshot, getServerSnapshot } = useClient()
  return useSyncExternalStore(subscribe, getSnapshot, getServerSnapshot)
}

function useReportedValue(key: string): boolean | string | undefined {
  const { flags } = useFlagSnapshot()
  const value = Object.hasOwn(flags, key) ? flags[key] : undefined
  useEffect(() => {
    if (value !== undefined) callClient((client) => client.expose(key))
  }, [key, value])
  return value
}

/** Reads a flag and reports once that it was used. `fallback` applies while it is not decided. */
export function useFlag<Key extends FlagKey>(key: Key, fallback?: FlagValue<Key>): FlagValue<Key>
export function useFlag(key: string, fallback: boolean | string = false): boolean | string {
  return useReportedValue(key) ?? fallback
}

/** Reads what a flag or a remote configuration carries. */
export function useFlagPayload<Key extends PayloadKey>(key: Key): MaybePayload<Key>
export function useFlagPayload<Key extends PayloadKey>(key: Key, fallback: PayloadOf<Key>): PayloadOf<Key>
export function useFlagPayload(key: string, fallback?: unknown): unknown {
  const { payloads } = useFlagSnapshot()
  useReportedValue(key)
  return Object.hasOwn(payloads, key) ? payloads[key] : fallback
}

/** Whether the decisions are there, or could not be had. Always true with a bootstrap. */
export const useFlagsReady = (): boolean => useFlagSnapshot().isSettled

export const useTrack = (): ((name: string, details?: EventDetails) => void) => useClient().track

export const useIdentify = (): ((id: string, properties?: Readonly<Record<string, unknown>>) => void) =>
  useClient().identify
