import type { AsyncLocalStorage } from 'node:async_hooks'
import type { PageVisit } from '../../visits/visit'

/** The visit this page is rendered for. Asking it for a decision is what makes the page vary by it, and counts as showing it. */
export function theVisit(): PageVisit {
  const visit = visitIfAny()
  if (!visit) throw new Error('There is no visit here: only the site’s own pages are rendered for one.')
  return visit
}

/** As it is; undefined outside the site, where nobody visits. */
export function visitIfAny(): PageVisit | undefined {
  // The global object does not know its symbols' types; server/pages.ts alone sets this one.
  const { [Symbol.for('tilth.visit')]: visits } = globalThis as {
    [place: symbol]: AsyncLocalStorage<PageVisit> | undefined
  }
  return visits?.getStore()
}
