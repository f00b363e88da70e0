import { clsx } from 'clsx'

const sizes = { sm: 'size-5 text-[9px]', md: 'size-7 text-2xs', lg: 'size-10 text-sm' }

const tints = [
  'bg-accent-soft text-accent-ink',
  'bg-info-soft text-info-ink',
  'bg-warning-soft text-warning-ink',
  'bg-success-soft text-success-ink',
  'bg-sunken text-muted',
]

/** Shows a person's initials. `decorative` hides it from assistive technology: the name stands beside it. */
export function Avatar({
  name,
  size = 'md',
  decorative,
}: {
  name: string
  size?: keyof typeof sizes
  decorative?: boolean
}) {
  return (
    <span
      role={decorative ? undefined : 'img'}
      aria-label={decorative ? undefined : name}
      aria-hidden={decorative || undefined}
      className={clsx(
        'inline-grid shrink-0 place-items-center rounded-full font-semibold ring-1 ring-line select-none ring-inset',
        sizes[size],
        tints[tintOf(name)],
      )}
    >
      {initials(name)}
    </span>
  )
}

/** "Ana Lima" is AL, "ana.lima@example.com" too, "Zoë" is Z. */
export function initials(name: string): string {
  const words = (name.split('@')[0] ?? '').split(/[\s._-]+/).filter(Boolean)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return letters.map((word) => Array.from(word ?? '?')[0]?.toUpperCase()).join('')
}

/** The same name has the same tint everywhere. */
function tintOf(name: string): number {
  const sum = Array.from(name).reduce(
    (total, letter) => (total * 31 + (letter.codePointAt(0) ?? 0)) % 9973,
    7,
  )
  return sum % tints.length
}
