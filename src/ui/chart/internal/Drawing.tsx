import type { ReactNode } from 'react'

/**
 * A drawing as large as its box. What is inside is placed in percent; shapes with many points are put in a Stretched.
 * Pointers go through it: the Reader around it follows them.
 */
export function Drawing({
  label,
  description,
  children,
}: {
  label: string
  description?: string
  children: ReactNode
}) {
  return (
    <svg
      role="img"
      aria-label={label}
      className="pointer-events-none absolute inset-0 size-full overflow-visible"
    >
      <title>{label}</title>
      {description && <desc>{description}</desc>}
      {children}
    </svg>
  )
}

/** A hundred by a hundred, whatever the box: lines keep their thickness, shapes do not keep their proportions. */
export function Stretched({ children }: { children: ReactNode }) {
  return (
    <svg width="100%" height="100%" viewBox="0 0 100 100" preserveAspectRatio="none" overflow="visible">
      {children}
    </svg>
  )
}
