'use client'

import { useParams, usePathname } from 'next/navigation'
import { type ReactNode, useEffect } from 'react'
import { ChevronsUpDown, Keyboard, LogOut, ShieldCheck, UserRound } from 'lucide-react'
import { AppFrame } from '#ui/page/AppFrame'
import { SidebarLink, SidebarSection } from '#ui/page/Sidebar'
import { Icon } from '#ui/Icon'
import { Avatar } from '#ui/Avatar'
import { Menu } from '#ui/overlay/Menu'
import { VisuallyHidden } from '#ui/VisuallyHidden'
import { paths } from '#studio/paths'
import { isInSection, navGroups, proposals } from './nav-sections'
import { lastProject as lastProjectCookie } from './last-project'
import { CommandsProvider, useCommands } from './Commands'
import { ProjectSwitcher } from './ProjectSwitcher'
import type { ShellFacts, ShellProject } from './shell'
import { Topbar } from './Topbar'

/** The studio around its pages. It stays while they change. */
export function Shell({ children, ...facts }: ShellFacts & { children: ReactNode }) {
  const slug = useSlug(facts)
  const project = facts.projects.find((one) => one.slug === slug)

  return (
    <CommandsProvider facts={facts} project={project}>
      <AppFrame
        brand={<ProjectSwitcher projects={facts.projects} current={project} mayCreate={facts.mayCreate} />}
        sidebar={project && <Navigation project={project} />}
        sidebarFoot={<AccountMenu member={facts.member} />}
        topbar={<Topbar theme={facts.theme} />}
      >
        {children}
      </AppFrame>
    </CommandsProvider>
  )
}

/** The project of the address, else the last project of the member. Remembers it for the next request. */
function useSlug({ projects, lastProject }: ShellFacts): string | undefined {
  const params = useParams()
  const named = projects.find(({ slug }) => slug === params?.project)?.slug

  useEffect(() => {
    if (!named) return
    const secure = location.protocol === 'https:' ? '; secure' : ''
    document.cookie = `${lastProjectCookie}=${named}; path=/studio; max-age=31536000; samesite=lax${secure}`
  }, [named])

  return named ?? lastProject
}

function Navigation({ project: { slug, openProposals } }: { project: ShellProject }) {
  const pathname = usePathname() ?? ''
  const isOnProposals = isInSection(proposals, slug, pathname)

  return navGroups.map(({ label, sections }, index) => (
    <SidebarSection key={label ?? index} label={label}>
      {sections.map((section) => (
        <SidebarLink
          key={section.key}
          href={section.path(slug)}
          label={section.label}
          icon={<Icon of={section.icon} />}
          current={isInSection(section, slug, pathname)}
        />
      ))}
      {index === 0 && (openProposals > 0 || isOnProposals) && (
        <SidebarLink
          href={proposals.path(slug)}
          label={proposals.label}
          icon={<Icon of={proposals.icon} />}
          current={isOnProposals}
          count={openProposals}
        />
      )}
    </SidebarSection>
  ))
}

/** The signed-in member and their settings. */
function AccountMenu({ member: { name, email } }: { member: { name: string; email: string } }) {
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
