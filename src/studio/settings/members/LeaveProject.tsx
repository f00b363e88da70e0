'use client'

import { LogOut } from 'lucide-react'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { useDirectChange } from '#studio/parts/Change'
import { leaveProject } from './members'

export function LeaveProject({ slug, projectName }: { slug: string; projectName: string }) {
  const { make, question } = useDirectChange()

  return (
    <div>
      <AlertDialog
        title={`Leave ${projectName}?`}
        body={
          <>
            You lose access immediately. You need a new invitation to return.
            {question}
          </>
        }
        confirmLabel="Leave"
        onConfirm={() => make(() => leaveProject(slug), {})}
        trigger={<Button icon={<Icon of={LogOut} />}>Leave this project…</Button>}
      />
    </div>
  )
}
