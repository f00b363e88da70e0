'use client'

import { useParams, usePathname } from 'next/navigation'
import { type ReactNode, useEffect } from 'react'
import { AppFrame } from '../../../../ui/AppFrame'
import { SidebarLink, SidebarSection } from '../../../../ui/Sidebar'
import { Icon } from '../../../../ui/Icon'
import { isIn, wings } from '../../rooms'
import { lastProject as lastProjectCookie } from '../last-project'
import { AccountMenu } from './AccountMenu'
import { CommandsProvider } from './Commands'
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

/** The one in the address, else the one somebody was last in; and it is remembered for the next time. */
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

function Navigation({ project: { slug } }: { project: ShellProject }) {
  const pathname = usePathname() ?? ''

  return wings.map(({ label, rooms }, place) => (
    <SidebarSection key={label ?? place} label={label}>
      {rooms.map((room) => (
        <SidebarLink
          key={room.key}
          href={room.path(slug)}
          label={room.label}
          icon={<Icon of={room.icon} />}
          current={isIn(room, slug, pathname)}
        />
      ))}
    </SidebarSection>
  ))
}
