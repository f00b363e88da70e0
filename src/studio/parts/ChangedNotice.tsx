import { Button } from '#ui/Button'
import { Notice } from '#ui/page/Notice'

export interface ChangedNoticeProps {
  /** "flag" */
  noun: string
  otherChange: {
    changedBy: string | undefined
    /** The other member's changes, a line each. */
    lines: readonly string[]
    take: () => void
    keepMine: () => void
  }
}

/** Says what was saved elsewhere while it was open here, and lets the person choose. */
export function ChangedNotice({ noun, otherChange }: ChangedNoticeProps) {
  const { changedBy = 'Another member', lines, take, keepMine } = otherChange
  return (
    <Notice
      tone="warning"
      urgent
      title={`${changedBy} changed this ${noun}`}
      action={
        <>
          <Button size="sm" onClick={take}>
            Take theirs
          </Button>
          <Button size="sm" onClick={keepMine}>
            Keep mine
          </Button>
        </>
      }
    >
      {lines.length === 0 && 'Only its state changed.'}
      <ul>
        {lines.map((line) => (
          <li key={line} className="wrap-anywhere">
            {line}
          </li>
        ))}
      </ul>
      {lines.length > 0 && 'If you keep yours, saving replaces theirs.'}
    </Notice>
  )
}
