'use client'

import { useNavigation } from '#ui/navigation/Navigation'
import { UnsavedChanges } from '#ui/form/UnsavedChanges'

/** Asks before a page of the studio is left on which something is not saved. */
export function LeavingGuard({ isUnsaved, isKept = false }: { isUnsaved: boolean; isKept?: boolean }) {
  const router = useNavigation()
  return (
    <UnsavedChanges
      isUnsaved={isUnsaved}
      destructive={!isKept}
      body={isKept ? 'Your draft is kept in this browser and offered when you return.' : undefined}
      onLeave={(address) => router.push(address)}
    />
  )
}
