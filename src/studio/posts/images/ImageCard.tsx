'use client'

import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import type { LibraryImage } from '#posts/pictures/image-library'
import { Badge } from '#ui/Badge'
import { Thumbnail } from '../Thumbnail'
import { copyOf, imageSizes } from './image-facts'

type ImageCardProps = Pick<ComponentProps<'button'>, 'aria-haspopup' | 'aria-pressed' | 'onClick'> & {
  image: LibraryImage
}

/** A picture of the library as a button, with what is to be known of it at a glance. */
export function ImageCard({ image, ...button }: ImageCardProps) {
  const { name, alt, uses } = image
  return (
    <button
      type="button"
      {...button}
      className={clsx(
        'flex w-full flex-col overflow-clip rounded-lg border bg-surface text-start',
        'focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-focus',
        button['aria-pressed'] === true
          ? 'border-focus ring-1 ring-focus'
          : 'border-line hover:border-line-strong',
      )}
    >
      <Thumbnail
        address={copyOf(image, 480)}
        className="aspect-4/3 w-full border-b border-line bg-sunken object-contain"
      />
      <span className="flex w-full min-w-0 flex-col gap-1 p-2.5">
        <span className="truncate font-medium" title={name}>
          {name}
        </span>
        <span className="truncate text-xs text-muted">{imageSizes(image)}</span>
        <span className="flex flex-wrap gap-1 pt-0.5">
          <Badge tone={uses.length > 0 ? 'accent' : 'neutral'}>{usesText(uses.length)}</Badge>
          {alt === '' && <Badge tone="warning">No alt text</Badge>}
        </span>
      </span>
    </button>
  )
}

const usesText = (count: number): string => (count === 0 ? 'Unused' : `Used in ${count}`)
