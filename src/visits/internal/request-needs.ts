import type { CompiledFlags } from '#flags/compile'
import { visitorPropertyNames } from '#ingest/request-visitor'

/** The facts that the flags of an environment read. */
export interface RequestNeeds {
  circumstances: boolean
  /** Whether they read what is stored about a visitor. */
  isStored: boolean
}

const requestNeeds = new WeakMap<CompiledFlags, RequestNeeds>()

/** Cached: every request evaluates the same compiled flags. */
export function requestNeedsOf(compiled: CompiledFlags): RequestNeeds {
  const known = requestNeeds.get(compiled)
  if (known) return known
  const { person, cohorts, keptIds } = compiled.needs
  const needs = {
    circumstances: visitorPropertyNames.some((name) => person.has(name)),
    isStored: person.size > 0 || cohorts.size > 0 || keptIds.length > 0,
  }
  requestNeeds.set(compiled, needs)
  return needs
}
