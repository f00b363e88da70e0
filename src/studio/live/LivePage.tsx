import type { Metadata } from 'next'
import { placesAttribution } from '#events/taxonomy'
import { TextLink } from '#ui/Anchor'
import { openProject } from '#studio/parts/open-project'
import { LiveView } from './LiveView'

export const metadata: Metadata = { title: 'Live' }

/** The stream delivers everything on this page; the page itself only knows its project. */
export async function LivePage({ params }: { params: Promise<{ project: string }> }) {
  const { project } = await openProject((await params).project)
  const { slug, name, timeZone, writeKey, hosts } = project

  return (
    <>
      <LiveView project={{ slug, name, timeZone, key: writeKey, hosts }} />
      <p className="px-8 pb-6 text-xs text-muted">
        Places: <TextLink href={placesAttribution.href}>{placesAttribution.text}</TextLink>
      </p>
    </>
  )
}
