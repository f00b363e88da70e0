'use client'

import { Button } from '#ui/Button'
import { Notice } from '#ui/page/Notice'
import { useRestore } from '#studio/settings/use-restore'

/** Above every page of a project that is out of use. */
export function ArchivedNotice({ slug, whyNot }: { slug: string; whyNot?: string }) {
  const { restore, isRestoring } = useRestore(slug)

  return (
    <div className="px-4 pt-4 sm:px-6 lg:px-8">
      <Notice
        tone="warning"
        title="This project is archived"
        action={
          <Button size="sm" onClick={restore} busy={isRestoring} disabledReason={whyNot}>
            Restore
          </Button>
        }
      >
        It accepts no events and is listed last. No data was deleted.
      </Notice>
    </div>
  )
}
