import { type ReactNode, useEffect, useRef } from 'react'
import { useFlag, useFlagSnapshot } from './hooks'
import { callClient } from './provider'
import type { FlagKey, FlagValue, VariantOf } from './register'

interface VariantProps<Key extends FlagKey> {
  flag: Key
  /** The value for which the children are shown; by default, every value but `false`. */
  is?: FlagValue<Key>
  fallback?: ReactNode
  children?: ReactNode
}

/** Shows its children only to visitors who get the flag, or the value `is` of it. */
export function Variant<Key extends FlagKey>({ flag, is, fallback, children }: VariantProps<Key>): ReactNode {
  const value = useFlag(flag)
  return (is === undefined ? value !== false : value === is) ? children : fallback
}

/** Reports that the page around it used a decision, for pages that were rendered with it in advance. */
export function Exposure({ flag }: { flag: FlagKey }): ReactNode {
  useFlag(flag)
  return null
}

interface ExperimentProps<Key extends FlagKey> {
  flag: Key
  /** The content of each variant. `control`, or else the first, is the original. */
  variants: Readonly<Partial<Record<VariantOf<Key>, ReactNode>>>
  /** The element around the variant, which takes no part in the layout. */
  as?: 'div' | 'span'
}

/**
 * Shows the visitor's variant, and reports the exposure when it comes into view. Until the flag is decided the original
 * takes up its space without being visible, so that no visitor sees one variant turn into another.
 */
export function Experiment<Key extends FlagKey>({
  flag,
  variants,
  as: Element = 'div',
}: ExperimentProps<Key>): ReactNode {
  const { flags, isSettled } = useFlagSnapshot()
  const place = useRef<HTMLDivElement & HTMLSpanElement>(null)
  // the registered variants are the keys of this record
  const known = variants as Readonly<Record<string, ReactNode>>
  const value = Object.hasOwn(flags, flag) ? flags[flag] : undefined
  const shown = typeof value === 'string' && Object.hasOwn(known, value) ? value : originalOf(known)

  useEffect(() => {
    if (value === undefined || !place.current) return undefined
    return whenSeen(place.current, () =>
      callClient((client) => {
        client.expose(flag)
        client.see(flag)
      }),
    )
  }, [flag, value])

  return (
    <Element ref={place} style={{ display: 'contents', ...(!isSettled && { visibility: 'hidden' }) }}>
      {known[shown]}
    </Element>
  )
}

const originalOf = (variants: Readonly<Record<string, ReactNode>>): string =>
  'control' in variants ? 'control' : (Object.keys(variants)[0] ?? '')

/** Elements without a box are never in view, so the first one inside is watched. Text alone counts as seen. */
function whenSeen(place: Element, seen: () => void): (() => void) | undefined {
  const [inside] = place.children
  if (!inside) {
    seen()
    return undefined
  }
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return
    observer.disconnect()
    seen()
  })
  observer.observe(inside)
  return () => observer.disconnect()
}
