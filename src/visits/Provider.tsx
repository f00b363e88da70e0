import type { ReactNode } from 'react'
import { currentDecision } from './current-decision'
import { slotPlaceholder, slotId } from './slot'

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
