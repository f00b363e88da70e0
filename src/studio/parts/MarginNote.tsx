import { TextLink } from '#ui/Anchor'
import { type Approximation, approximationText, marginText } from '#insights/approximation'

interface MarginNoteProps {
  /** Absent if the numbers are exact: then there is no note. */
  approximate: Approximation | undefined
  /** The address of the exact numbers; none for people outside. */
  exactHref?: string | undefined
}

/** Says why numbers have a margin, and leads to the exact ones. */
export function MarginNote({ approximate, exactHref }: MarginNoteProps) {
  if (!approximate) return null
  return (
    <span className="text-xs text-muted">
      {marginText}: {approximationText(approximate)}.{' '}
      {exactHref !== undefined && (
        <span className="whitespace-nowrap">
          <TextLink href={exactHref}>Count exactly</TextLink>
        </span>
      )}
    </span>
  )
}
