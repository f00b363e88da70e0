'use client'

import { type ReactNode, useOptimistic, useTransition } from 'react'
import { type Role, roles } from '#projects/access'
import { Select } from '#ui/form/Select'
import { useToast } from '#ui/overlay/Toast'
import { Tooltip } from '#ui/overlay/Tooltip'
import { VisuallyHidden } from '#ui/VisuallyHidden'
import { useDirectChange } from '#studio/parts/Change'
import { roleLabels } from '#studio/parts/roles'
import { changeRole } from './members'
import type { MemberRow, MembersTableContext } from './MembersTable'

/** Changes a member's role at once; a toast offers to undo it. */
export function RoleSelect({
  member,
  slug,
  whyNot,
  mayMakeOwners,
}: MembersTableContext & { member: MemberRow }) {
  const showToast = useToast()
  const { make, question } = useDirectChange()
  const [isPending, startTransition] = useTransition()
  const { id, name, role } = member
  const [shown, show] = useOptimistic(role)

  const change = (to: Role) =>
    startTransition(async () => {
      show(to)
      const failed = await make(() => changeRole(slug, id, to), {
        saved: `${name} is now ${roleLabels[to].toLowerCase()}`,
        undo: () => change(role),
      })
      if (failed?.error) showToast({ title: failed.error, tone: 'danger' })
    })

  const reason = whyNot ?? (role === 'owner' && !mayMakeOwners ? 'Only owners can change owners.' : undefined)
  const select = (
    <Select
      aria-label={`Role of ${name}`}
      fit
      options={optionsFor(mayMakeOwners)}
      value={shown}
      onChange={change}
      disabled={reason !== undefined || isPending}
    />
  )
  return (
    <>
      {reason ? <WithReason reason={reason}>{select}</WithReason> : select}
      {question}
    </>
  )
}

function WithReason({ reason, children }: { reason: string; children: ReactNode }) {
  return (
    <Tooltip label={reason}>
      <span className="inline-flex">
        {children}
        <VisuallyHidden>{reason}</VisuallyHidden>
      </span>
    </Tooltip>
  )
}

const optionsFor = (mayMakeOwners: boolean) =>
  roles.map((role) => ({
    value: role,
    label: roleLabels[role],
    disabled: role === 'owner' && !mayMakeOwners,
    hint: role === 'owner' && !mayMakeOwners ? 'Only owners can add owners' : undefined,
  }))
