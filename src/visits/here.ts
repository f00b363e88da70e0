import type { AsyncLocalStorage } from 'node:async_hooks'
import { type Bootstrap, slotId } from './slot'
import type { PageVisit } from './visit'

/** What was decided, wherever a part of a page is rendered: on the server or, from the page's slot, in the browser. */
export const decisionHere = (key: string): boolean | string =>
  typeof document === 'undefined' ? onTheServer(key) : inTheBrowser(key)

/** A browser will render the same part again, and must not be told then what it was not told now. */
function onTheServer(key: string): boolean | string {
  // The global object does not know its symbols' types; server/pages.ts alone sets this one.
  const { [Symbol.for('tilth.visit')]: visits } = globalThis as {
    [place: symbol]: AsyncLocalStorage<PageVisit> | undefined
  }
  return visits?.getStore()?.variantInBrowsers(key) ?? false
}

let read: { from: Element; flags: Bootstrap['featureFlags'] } | undefined

function inTheBrowser(key: string): boolean | string {
  const slot = document.getElementById(slotId)
  if (slot && slot !== read?.from) read = readSlot(slot) ?? read
  return read && Object.hasOwn(read.flags, key) ? (read.flags[key] ?? false) : false
}

/** One that React has made in the browser was not filled in by anybody: what was known before is as true as ever. */
function readSlot(from: Element): typeof read {
  try {
    // the front has written it
    const { featureFlags } = JSON.parse(from.textContent) as Bootstrap
    return { from, flags: featureFlags }
  } catch {
    return undefined
  }
}
