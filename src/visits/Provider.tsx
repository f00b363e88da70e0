import type { ReactNode } from 'react'
import { type PosthogBootstrap, slotId, slotPlaceholder } from './slot'
import type { AsyncLocalStorage } from 'node:async_hooks'
import type { PageVisit } from './visit'

/**
 * Passes the visitor's decisions to the browser before anything on the page needs them. Wraps the components that call
 * `useFlag`, and scripts that read the decisions, such as posthog-js.
 */
export function VisitProvider({ children }: { children?: ReactNode }) {
  return (
    <>
      {/* filled in by the front, after React has written it and before a browser reads it */}
      <script type="application/json" id={slotId} suppressHydrationWarning>
        {slotPlaceholder}
      </script>
      {children}
    </>
  )
}

/** Returns the variant's key, or whether the flag is on: in the browser the same as in the server's markup. */
export const useFlag = (key: string): boolean | string => currentDecision(key)

interface VariantProps {
  /** The flag's key. */
  of: string
  /** The variant's key, or false for visitors without the flag; the default is any variant. */
  is?: boolean | string
  children: ReactNode
}

/** Renders its children only for visitors with this variant; its attributes let the script report when it was seen. */
export function Variant({ of, is = true, children }: VariantProps) {
  const value = useFlag(of)
  if (is === true ? value === false : value !== is) return null
  return (
    <div data-flag={of} data-variant={String(value)}>
      {children}
    </div>
  )
}

/** Returns the decision where a component is rendered: on the server or, from the page's slot, in the browser. */
const currentDecision = (key: string): boolean | string =>
  typeof document === 'undefined' ? decisionOnServer(key) : decisionInBrowser(key)

/** Returns only decisions that browsers may know: the browser renders the same component again. */
function decisionOnServer(key: string): boolean | string {
  // The global object does not know its symbols' types; server/internal/pages.ts alone sets this one.
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
