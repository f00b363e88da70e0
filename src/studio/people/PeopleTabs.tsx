'use client'

import { usePathname } from 'next/navigation'
import { LinkTabs } from '#ui/page/LinkTabs'
import { paths } from '#studio/paths'

const views = [
  { label: 'People', path: (slug: string) => paths.people(slug) },
  { label: 'Cohorts', path: paths.cohorts },
  { label: 'Groups', path: (slug: string) => paths.groups(slug) },
  { label: 'Erasures', path: paths.erasures },
]

export function PeopleTabs({ slug }: { slug: string }) {
  const pathname = usePathname()
  const tabs = views.map(({ label, path }) => ({
    label,
    href: path(slug),
    current: pathname === path(slug),
  }))

  return <LinkTabs label="People" tabs={tabs} />
}
