'use client'

import { usePathname } from 'next/navigation'
import { LinkTabs } from '#ui/page/LinkTabs'
import { experimentTabs } from './experiment-tabs'

export function ExperimentTabs({ slug, id, name }: { slug: string; id: string; name: string }) {
  const pathname = usePathname()
  return (
    <LinkTabs
      label={`Views of ${name}`}
      tabs={experimentTabs.map(({ label, path }) => ({
        label,
        href: path(slug, id),
        current: pathname === path(slug, id),
      }))}
    />
  )
}
