import type { ReactNode } from 'react'
import { Button } from '#ui/Button'
import { Notice } from '#ui/page/Notice'

interface ChangedMeanwhileProps {
  title: string
  /** What the other member changed. */
  children: ReactNode
  take: () => void
  keepMine: () => void
}

/** Shows that something was saved elsewhere while it was open here, and lets the person choose. */
export const ChangedMeanwhile = ({ title, children, take, keepMine }: ChangedMeanwhileProps) => (
  <Notice
    tone="warning"
    urgent
    title={title}
    action={
      <>
        <Button size="sm" onClick={take}>
          Use theirs
        </Button>
        <Button size="sm" onClick={keepMine}>
          Keep mine
        </Button>
      </>
    }
  >
    {children}
  </Notice>
)
