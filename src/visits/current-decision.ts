import type { AsyncLocalStorage } from 'node:async_hooks'
import { type PosthogBootstrap, slotId } from './slot'
import type { PageVisit } from './visit'

/** Returns the decision where a component is rendered: on the server or, from the page's slot, in the browser. */
export const currentDecision = (key: string): boolean | string =>
  typeof document === 'undefined' ? decisionOnServer(key) : decisionInBrowser(key)

/** Returns only decisions that browsers may know: the browser renders the same component again. */
function decisionOnServer(key: string): boolean | string {
  // The global object does not know its symbols' types; server/pages.ts alone sets this one.
  const { [Symbol.for('tilth.visit')]: visits } = globalThis as {
    [place: symbol]: AsyncLocalStorage<PageVisit> | undefined
  }
  return visits?.getStore()?.variantInBrowsers(key) ?? false
}

let readSlotContent: { from: Element; flags: PosthogBootstrap['featureFlags'] } | undefined

function decisionInBrowser(key: string): boolean | string {
  const slot = document.getElementById(slotId)
  if (slot && slot !== readSlotContent?.from) readSlotContent = readSlot(slot) ?? readSlotContent
  return readSlotContent && Object.hasOwn(readSlotContent.flags, key)
    ? (readSlotContent.flags[key] ?? false)
    : false
}

/** A slot that React created in the browser was not filled in by the front; the decisions read before still hold. */
function readSlot(from: Element): typeof readSlotContent {
  try {
    // the front has written it
    const { featureFlags } = JSON.parse(from.textContent) as PosthogBootstrap
    return { from, flags: featureFlags }
  } catch {
    return undefined
  }
}
