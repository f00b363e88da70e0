import { NetworkRefusedError } from './network-guard'
import { currentContextIfAny } from './rendering'

interface CacheOptions {
  revalidate?: number | false
  tags?: readonly string[]
}

/** A `fetch` whose options say how long the page may be kept that is rendered with it, and by which tags it is found. */
export const fetchNoting =
  (fetchNow: typeof fetch): typeof fetch =>
  (input, init) => {
    const rendering = currentContextIfAny()?.rendering
    // Next has the same option, which no platform knows
    const { next } = (init ?? {}) as { next?: CacheOptions }
    rendering?.addTags(next?.tags ?? [])
    rendering?.revalidateAfter(init?.cache === 'no-store' ? 0 : next?.revalidate)
    return fetchNow(input, init).catch(throwCause)
  }

/** `fetch` says no more than that it failed; the reason of a refusal names the remedy. */
function throwCause(problem: unknown): never {
  const cause = problem instanceof Error ? problem.cause : undefined
  throw cause instanceof NetworkRefusedError ? cause : problem
}
