'use client'

import { useLayoutEffect, useState } from 'react'
import { AlertDialog } from '../overlay/AlertDialog'
import { type LeaveRequest, listenToLeaveRequests } from './leave-requests'

interface UnsavedChangesProps {
  isUnsaved: boolean
  /** The fate of the changes, in a sentence. */
  body?: string
  /** False where leaving loses nothing. */
  destructive?: boolean
  /** Navigates to an address of this application, as its links do. */
  onLeave: (address: string) => void
}

/**
 * Asks before a page with unsaved changes is left: by a link, by Back and Forward, by a shortcut that asked `mayLeave`.
 * On reload and close the browser asks in its own words.
 */
export function UnsavedChanges({
  isUnsaved,
  body = 'Your changes are not saved and will be lost.',
  destructive = true,
  onLeave,
}: UnsavedChangesProps) {
  const [request, setRequest] = useState<LeaveRequest>()

  // together with the page: a later effect would still ask when the page already shows that all is saved
  useLayoutEffect(() => (isUnsaved ? listenToLeaveRequests(setRequest) : undefined), [isUnsaved])

  return (
    <AlertDialog
      open={request !== undefined}
      onOpenChange={(open) => !open && setRequest(undefined)}
      destructive={destructive}
      title="Leave without saving?"
      body={body}
      cancelLabel="Stay"
      confirmLabel="Leave"
      onConfirm={() => {
        if (request?.by === 'address') onLeave(request.address)
        request?.go?.()
      }}
    />
  )
}
