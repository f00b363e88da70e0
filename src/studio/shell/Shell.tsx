'use client'

import { useParams, usePathname } from 'next/navigation'
import { type ReactNode, useEffect } from 'react'
import { AppFrame } from '#ui/page/AppFrame'
import { SidebarLink, SidebarSection } from '#ui/page/Sidebar'
import { Icon } from '#ui/Icon'
import { isInSection, navGroups } from './nav-sections'
import { lastProject as lastProjectCookie } from './last-project'
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

function Navigation({ project: { slug } }: { project: ShellProject }) {
  const pathname = usePathname() ?? ''

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
    </SidebarSection>
  ))
}
