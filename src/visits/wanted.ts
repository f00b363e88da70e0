import type { CompiledFlags } from '../flags/compile'
import { circumstances, isAboutPlace } from '../ingest/asker'

/** What of a request the flags of an environment look at. */
export interface Wanted {
  circumstances: boolean
  place: boolean
}

const wants = new WeakMap<CompiledFlags, Wanted>()

/** The same flags are asked for by every request. */
export function wantedOf(compiled: CompiledFlags): Wanted {
  const known = wants.get(compiled)
  if (known) return known
  const { person } = compiled.needs
  const asked = circumstances.filter((name) => person.has(name))
  const wanted = { circumstances: asked.length > 0, place: asked.some(isAboutPlace) }
  wants.set(compiled, wanted)
  return wanted
}
