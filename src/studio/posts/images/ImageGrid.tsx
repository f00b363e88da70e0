'use client'

import { Images } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { LibraryImage } from '#posts/pictures/image-library'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Icon } from '#ui/Icon'
import { Panel } from '#ui/page/Panel'
import { ImageCard } from './ImageCard'

const ImageDetails = lazy(async () => ({ default: (await import('./ImageDetails')).ImageDetails }))

interface ImageGridProps {
  slug: string
  images: readonly LibraryImage[]
  clock: { timeZone: string; now: Date }
  whyNot: string | undefined
  isFiltered: boolean
}

export function ImageGrid({ slug, images, clock, whyNot, isFiltered }: ImageGridProps) {
  const [opened, setOpened] = useState<string>()
  const shown = images.find(({ file }) => file === opened)
  if (images.length === 0) return <NoImages isFiltered={isFiltered} />
  return (
    <>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4 xl:grid-cols-6">
        {images.map((image) => (
          <li key={image.file} className="min-w-0">
            <ImageCard image={image} aria-haspopup="dialog" onClick={() => setOpened(image.file)} />
          </li>
        ))}
      </ul>
      {shown && (
        <Suspense>
          <ImageDetails
            key={shown.file}
            slug={slug}
            image={shown}
            clock={clock}
            whyNot={whyNot}
            onClose={() => setOpened(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}

function NoImages({ isFiltered }: { isFiltered: boolean }) {
  return (
    <Panel>
      <EmptyMessage
        icon={<Icon of={Images} size="lg" />}
        title={isFiltered ? 'No image matches' : 'No images yet'}
        body={
          isFiltered
            ? 'Search for less, or show all.'
            : 'Upload pictures here or in the editor. They are resized, and location data is removed.'
        }
      />
    </Panel>
  )
}
