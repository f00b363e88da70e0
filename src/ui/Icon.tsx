import type { LucideIcon } from 'lucide-react'

const pixels = { sm: 14, md: 16, lg: 20, xl: 24 }

type IconSize = keyof typeof pixels

/**
 * One drawing from lucide-react, always imported by name: `<Icon of={Flag} />`.
 * Silent unless it has a label, because beside words it says nothing new.
 */
export function Icon({
  of: Drawing,
  size = 'md',
  label,
  className = '',
}: {
  of: LucideIcon
  size?: IconSize
  label?: string
  className?: string
}) {
  return (
    <Drawing
      size={pixels[size]}
      strokeWidth={1.75}
      className={`shrink-0 ${className}`}
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    />
  )
}
