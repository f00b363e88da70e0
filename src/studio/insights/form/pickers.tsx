'use client'

import { createContext, type ComponentType, type ReactNode, use } from 'react'
import type { Filter } from '#filters/filter'

/** A chosen property. */
export interface PropertyReference {
  type: 'event' | 'person' | 'session' | 'group'
  key: string
  /** The group's type, for a group property. */
  group?: string
}

/** The pickers of forms. The page that shows a form supplies them with the project's names. */
export interface QueryPickers {
  /** Null is any event; undefined if none is chosen yet. */
  Event: ComponentType<{
    label: string
    value: string | null | undefined
    onChange: (event: string | null) => void
    /** Whether any event will do. */
    allowAny?: boolean
  }>
  Events: ComponentType<{ label: string; values: readonly string[]; onChange: (events: string[]) => void }>
  Property: ComponentType<{
    label: string
    value: PropertyReference | undefined
    onChange: (property: PropertyReference | undefined) => void
    of: readonly PropertyReference['type'][]
    /** Suggests only properties of this event. */
    event?: string | null
    /** Lists numeric properties first. */
    placeholder?: string
    required?: boolean
  }>
  Cohorts: ComponentType<{ label: string; values: readonly string[]; onChange: (cohorts: string[]) => void }>
  GroupType: ComponentType<{ label: string; value: string | undefined; onChange: (group: string) => void }>
  Filter: ComponentType<{
    label: string
    value: Filter | undefined
    onChange: (filter: Filter | undefined) => void
    event?: string | null
  }>
}

const PickersContext = createContext<QueryPickers | undefined>(undefined)

export function PickersProvider({ pickers, children }: { pickers: QueryPickers; children: ReactNode }) {
  return <PickersContext value={pickers}>{children}</PickersContext>
}

export function usePickers(): QueryPickers {
  const pickers = use(PickersContext)
  if (!pickers) throw new Error('A form about questions stands inside a PickersProvider.')
  return pickers
}
