import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { VisuallyHidden } from './VisuallyHidden'

const tones = {
  neutral: { box: 'border-line bg-sunken text-muted', dot: 'bg-faint' },
  accent: { box: 'border-accent-line bg-accent-soft text-accent-ink', dot: 'bg-accent' },
  success: { box: 'border-success-line bg-success-soft text-success-ink', dot: 'bg-success' },
  warning: { box: 'border-warning-line bg-warning-soft text-warning-ink', dot: 'bg-warning' },
  danger: { box: 'border-danger-line bg-danger-soft text-danger-ink', dot: 'bg-danger' },
  info: { box: 'border-info-line bg-info-soft text-info-ink', dot: 'bg-info' },
}

export type Tone = keyof typeof tones

/** A word about the state of something. The word says it; the colour only repeats it. */
export function Badge({
  tone = 'neutral',
  dot,
  icon,
  children,
}: {
  tone?: Tone
  dot?: boolean
  icon?: ReactNode
  children: ReactNode
}) {
  return (
    <span
      className={clsx(
        'inline-flex h-5 items-center gap-1 rounded-sm border px-1.5 text-2xs font-medium whitespace-nowrap',
        tones[tone].box,
      )}
    >
      {dot && <span aria-hidden className={clsx('size-1.5 rounded-full', tones[tone].dot)} />}
      {icon}
      {children}
    </span>
  )
}

/** The dot of a Badge by itself, for dense rows. Its label says what the colour means. */
export function StatusDot({ tone, label }: { tone: Tone; label: string }) {
  return (
    <span title={label} className="inline-flex">
      <span className={clsx('size-2 rounded-full', tones[tone].dot)} />
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  )
}
