'use client'

import { useRouter } from 'next/navigation'
import { UnsavedChanges } from '#ui/form/UnsavedChanges'

/** Asks before a page of the studio is left on which something is not saved. */
export function LeavingGuard({ isUnsaved, isKept = false }: { isUnsaved: boolean; isKept?: boolean }) {
  const router = useRouter()
  return (
    <UnsavedChanges
      isUnsaved={isUnsaved}
      destructive={!isKept}
      body={
        isKept ? 'What you wrote is kept in this browser, and offered to you when you come back.' : undefined
      }
      onLeave={(address) => router.push(address)}
    />
  )
}
