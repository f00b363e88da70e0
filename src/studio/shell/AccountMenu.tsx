'use client'

import { ChevronsUpDown, Keyboard, LogOut, ShieldCheck, UserRound } from 'lucide-react'
import { Avatar } from '#ui/Avatar'
import { Icon } from '#ui/Icon'
import { Menu } from '#ui/overlay/Menu'
import { VisuallyHidden } from '#ui/VisuallyHidden'
import { paths } from '#studio/paths'
import { useCommands } from './Commands'

/** The signed-in member and their settings. */
export function AccountMenu({ member: { name, email } }: { member: { name: string; email: string } }) {
  const { openHelp, signOut } = useCommands()

  return (
    <Menu
      side="top"
      trigger={
        <button
          type="button"
          className="flex w-full min-w-0 items-center gap-2.5 rounded-md px-2 py-1.5 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2 data-popup-open:bg-hover"
        >
          <Avatar name={name} decorative />
          <span className="min-w-0 grow leading-tight">
            <VisuallyHidden>Account of </VisuallyHidden>
            <span className="block truncate font-medium">{name}</span>
            <span className="block truncate text-xs text-muted">{email}</span>
          </span>
          <Icon of={ChevronsUpDown} size="sm" className="text-faint" />
        </button>
      }
      entries={[
        { kind: 'link', label: 'Your account', icon: <Icon of={UserRound} />, href: paths.account },
        { kind: 'link', label: 'Sign-in', icon: <Icon of={ShieldCheck} />, href: paths.installation },
        {
          label: 'Keyboard shortcuts',
          icon: <Icon of={Keyboard} />,
          shortcut: '?',
          onSelect: openHelp,
        },
        { kind: 'separator' },
        { label: 'Sign out', icon: <Icon of={LogOut} />, onSelect: signOut },
      ]}
    />
  )
}
