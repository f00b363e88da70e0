import type { ReactNode } from 'react'
import { decisionHere } from './here'
import { emptySlot, slotId } from './slot'

/**
 * Tells the browser what was decided for its visitor, before anything on the page needs it. Around whatever has parts that
 * ask by `useFlag`, or a script that takes decisions along, such as posthog-js.
 */
export function VisitProvider({ children }: { children?: ReactNode }) {
  return (
    <>
      {/* filled in by the front, after React has written it and before a browser reads it */}
      <script type="application/json" id={slotId} suppressHydrationWarning>
        {emptySlot}
      </script>
      {children}
    </>
  )
}

/** The key of the variant, or whether the flag is on: in the browser the same as in the markup that came from the server. */
export const useFlag = (key: string): boolean | string => decisionHere(key)

interface VariantProps {
  /** The flag's key. */
  of: string
  /** The variant's key, or false for those who get nothing of it; left out, whoever gets any of it. */
  is?: boolean | string
  children: ReactNode
}

/** Shown to whoever was given this variant, and to nobody else; by its marks the script tells when it was seen. */
export function Variant({ of, is = true, children }: VariantProps) {
  const value = useFlag(of)
  if (is === true ? value === false : value !== is) return null
  return (
    <div data-flag={of} data-variant={String(value)}>
      {children}
    </div>
  )
}
