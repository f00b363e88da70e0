import type { AsyncLocalStorage } from 'node:async_hooks'
import type { PageVisit } from '#visits/visit'

/** The visit this page is rendered for. A page varies by the decisions it asks for, and asking counts as showing. */
export function currentVisit(): PageVisit {
  const visit = currentVisitIfAny()
  if (!visit) throw new Error('There is no visit here: only the site’s own pages are rendered for one.')
  return visit
}

/** The visit of this request; undefined outside the site, where visits are not recorded. */
export function currentVisitIfAny(): PageVisit | undefined {
  // The global object does not know its symbols' types; server/internal/pages.ts alone sets this one.
  const { [Symbol.for('tilth.visit')]: visits } = globalThis as {
    [symbol: symbol]: AsyncLocalStorage<PageVisit> | undefined
  }
  return visits?.getStore()
}
