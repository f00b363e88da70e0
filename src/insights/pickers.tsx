'use client'

import { createContext, type ComponentType, type ReactNode, use } from 'react'
import type { Filter } from '../filters/filter'

/** A property somebody chose. */
export interface PropertyRef {
  type: 'event' | 'person' | 'session' | 'group'
  key: string
  /** The group's type, where it is a group's. */
  group?: string
}

/** What forms choose with. They know what is asked about; what there is in a project is known where they are shown. */
export interface Pickers {
  /** Null is any event; undefined where none is chosen yet. */
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
    value: PropertyRef | undefined
    onChange: (property: PropertyRef | undefined) => void
    of: readonly PropertyRef['type'][]
    /** Suggests only what events of this name say. */
    event?: string | null
    /** Only those whose values are numbers come first. */
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

const PickersContext = createContext<Pickers | undefined>(undefined)

export function PickersProvider({ pickers, children }: { pickers: Pickers; children: ReactNode }) {
  return <PickersContext value={pickers}>{children}</PickersContext>
}

export function usePickers(): Pickers {
  const pickers = use(PickersContext)
  if (!pickers) throw new Error('A form about questions stands inside a PickersProvider.')
  return pickers
}
